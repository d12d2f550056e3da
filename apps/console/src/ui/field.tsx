import { type ComponentProps, useId } from 'react';
import { classNames } from './class-names.ts';

const control =
  'w-full rounded-md border border-line-strong bg-surface px-2.5 text-text placeholder:text-muted aria-invalid:border-danger';

/** A line of input with its label, and what is wrong with it. */
export function TextField({
  label,
  error,
  hint,
  isLabelHidden = false,
  className,
  ...rest
}: ComponentProps<'input'> & {
  label: string;
  error?: string | undefined;
  hint?: string;
  isLabelHidden?: boolean;
}) {
  const id = useId();
  const said = error ?? hint;
  return (
    <div className={className}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1 block font-medium'}>
        {label}
      </label>
      <input
        id={id}
        aria-invalid={error !== undefined}
        {...(said && { 'aria-describedby': `${id}-said` })}
        className={classNames(control, 'h-9')}
        {...rest}
      />
      {said && (
        <p id={`${id}-said`} className={classNames('mt-1', error ? 'text-danger' : 'text-muted')}>
          {said}
        </p>
      )}
    </div>
  );
}

/** A choice of few. The browser's own: works with every keyboard, screen reader and phone. */
export function SelectField({
  label,
  isLabelHidden = false,
  className,
  children,
  ...rest
}: ComponentProps<'select'> & {
  label: string;
  isLabelHidden?: boolean;
}) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1 block font-medium'}>
        {label}
      </label>
      <select id={id} className={classNames(control, 'h-8')} {...rest}>
        {children}
      </select>
    </div>
  );
}

/** Several lines of input, with what is wrong with them. */
export function TextAreaField({
  label,
  error,
  hint,
  isLabelHidden = false,
  className,
  ...rest
}: ComponentProps<'textarea'> & {
  label: string;
  error?: string | undefined;
  hint?: string;
  isLabelHidden?: boolean;
}) {
  const id = useId();
  const said = error ?? hint;
  return (
    <div className={className}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1 block font-medium'}>
        {label}
      </label>
      <textarea
        id={id}
        aria-invalid={error !== undefined}
        {...(said && { 'aria-describedby': `${id}-said` })}
        className={classNames(control, 'py-1.5')}
        {...rest}
      />
      {said && (
        <p id={`${id}-said`} className={classNames('mt-1', error ? 'text-danger' : 'text-muted')}>
          {said}
        </p>
      )}
    </div>
  );
}
