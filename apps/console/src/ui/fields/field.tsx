import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from '../class-names.ts';

/** The look of a control. */
export const control =
  'w-full rounded-md border border-line-strong bg-surface px-2.5 text-text placeholder:text-muted aria-invalid:border-danger';

interface Labelled {
  label: string;
  isLabelHidden?: boolean;
}

export interface Described extends Labelled {
  error?: string | undefined;
  hint?: string;
}

/** A text input with its label, hint and error. */
export function TextField(props: ComponentProps<'input'> & Described) {
  const { frame, described, rest } = useField(props);
  return (
    <Field {...frame}>
      <input className={classNames(control, 'h-9')} {...described} {...rest} />
    </Field>
  );
}

/** A multi-line input with its label, hint and error. */
export function TextAreaField(props: ComponentProps<'textarea'> & Described) {
  const { frame, described, rest } = useField(props);
  return (
    <Field {...frame}>
      <textarea className={classNames(control, 'py-1.5')} {...described} {...rest} />
    </Field>
  );
}

/** The error of a form that belongs to none of its fields. */
export function FormError({ message }: { message: string | null }) {
  if (message === null) return null;
  return (
    <p role="alert" className="rounded-md bg-danger-surface px-3 py-2 text-danger">
      {message}
    </p>
  );
}

/** Splits the props into those of the field and those of its control. */
export function useField<Props extends Described & { className?: string | undefined }>(props: Props) {
  const { label, error, hint, isLabelHidden = false, className, ...rest } = props;
  const id = useId();
  const description = error ?? hint;
  return {
    frame: { id, label, isLabelHidden, className, description, isInvalid: error !== undefined },
    described: {
      id,
      'aria-invalid': error !== undefined,
      ...(description && { 'aria-describedby': `${id}-description` }),
    },
    rest,
  };
}

/** A control with its label, and its error or hint. */
export function Field({
  id,
  label,
  isLabelHidden,
  className,
  description,
  isInvalid = false,
  children,
}: {
  id: string;
  label: string;
  isLabelHidden: boolean;
  className: string | undefined;
  description?: string | undefined;
  isInvalid?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={className}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1 block font-medium'}>
        {label}
      </label>
      {children}
      {description && (
        <p id={`${id}-description`} className={classNames('mt-1', isInvalid ? 'text-danger' : 'text-muted')}>
          {description}
        </p>
      )}
    </div>
  );
}
