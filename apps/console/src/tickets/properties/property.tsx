import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';

/** The button that shows a property of a ticket and opens its menu. */
export function PropertyButton({ name, children, ...rest }: ComponentProps<'button'> & { name: string }) {
  return (
    <button
      type="button"
      className="group inline-flex min-h-7 max-w-full flex-wrap items-center gap-1.5 rounded-md px-1.5 hover:bg-hover data-[state=open]:bg-hover"
      {...rest}
    >
      <span className="sr-only">{name}: </span>
      {children}
      <ChevronDown size={12} aria-hidden="true" className="text-muted opacity-60 group-hover:opacity-100" />
    </button>
  );
}

/** A property that the caller cannot change. */
export function PropertyValue({
  name,
  children,
}: Pick<ComponentProps<'span'>, 'children'> & { name: string }) {
  return (
    <span className="inline-flex min-h-7 flex-wrap items-center gap-1.5 px-1.5">
      <span className="sr-only">{name}: </span>
      {children}
    </span>
  );
}
