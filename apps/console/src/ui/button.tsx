import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Tooltip } from './overlays/tooltip.tsx';

const variants = {
  plain: 'border border-line bg-surface hover:bg-hover',
  solid: 'border border-transparent bg-accent-solid text-on-accent hover:brightness-110',
  quiet: 'border border-transparent text-muted hover:bg-hover hover:text-text',
  danger: 'border border-transparent bg-danger-surface text-danger hover:brightness-95',
} as const;

const base =
  'inline-flex items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap disabled:opacity-50 disabled:pointer-events-none aria-disabled:opacity-50';

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: keyof typeof variants;
}

export function Button({ variant = 'plain', className, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={classNames(base, 'h-8 shrink-0 px-3', variants[variant], className)}
      {...rest}
    />
  );
}

/** A button with an icon only. Its label is read by screen readers and shown, with its key, in a tooltip. */
export function IconButton({
  label,
  keys,
  icon: Icon,
  iconSize = 16,
  children,
  variant = 'quiet',
  className,
  type = 'button',
  ...rest
}: ButtonProps & {
  label: string;
  keys?: string;
  icon?: LucideIcon;
  iconSize?: number;
  /** A text after the icon, or another icon. */
  children?: ButtonProps['children'];
}) {
  return (
    <Tooltip label={label} {...(keys && { keys })}>
      <button
        type={type}
        aria-label={label}
        className={classNames(base, 'size-8', variants[variant], className)}
        {...rest}
      >
        {Icon && <Icon size={iconSize} aria-hidden="true" />}
        {children}
      </button>
    </Tooltip>
  );
}
