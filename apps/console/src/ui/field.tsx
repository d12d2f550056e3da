import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

const control =
  'w-full rounded-md border border-line-strong bg-surface px-2.5 text-text placeholder:text-muted aria-invalid:border-danger';

interface Labelled {
  label: string;
  isLabelHidden?: boolean;
}

interface Described extends Labelled {
  error?: string | undefined;
  hint?: string;
}

/** A line of input with its label, and what is wrong with it. */
export function TextField(props: ComponentProps<'input'> & Described) {
  const { frame, described, rest } = useField(props);
  return (
    <Field {...frame}>
      <input className={classNames(control, 'h-9')} {...described} {...rest} />
    </Field>
  );
}

/** Several lines of input, with what is wrong with them. */
export function TextAreaField(props: ComponentProps<'textarea'> & Described) {
  const { frame, described, rest } = useField(props);
  return (
    <Field {...frame}>
      <textarea className={classNames(control, 'py-1.5')} {...described} {...rest} />
    </Field>
  );
}

/** A choice of few. The browser's own: works with every keyboard, screen reader and phone. */
export function SelectField({
  label,
  isLabelHidden = false,
  className,
  ...rest
}: ComponentProps<'select'> & Labelled) {
  const id = useId();
  return (
    <Field id={id} label={label} isLabelHidden={isLabelHidden} className={className}>
      <select id={id} className={classNames(control, 'h-8')} {...rest} />
    </Field>
  );
}

/** Parts the frame of a field from what its control is given. */
function useField<Props extends Described & { className?: string | undefined }>(props: Props) {
  const { label, error, hint, isLabelHidden = false, className, ...rest } = props;
  const id = useId();
  const said = error ?? hint;
  return {
    frame: { id, label, isLabelHidden, className, said, isWrong: error !== undefined },
    described: {
      id,
      'aria-invalid': error !== undefined,
      ...(said && { 'aria-describedby': `${id}-said` }),
    },
    rest,
  };
}

function Field({
  id,
  label,
  isLabelHidden,
  className,
  said,
  isWrong = false,
  children,
}: {
  id: string;
  label: string;
  isLabelHidden: boolean;
  className: string | undefined;
  said?: string | undefined;
  isWrong?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={className}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1 block font-medium'}>
        {label}
      </label>
      {children}
      {said && (
        <p id={`${id}-said`} className={classNames('mt-1', isWrong ? 'text-danger' : 'text-muted')}>
          {said}
        </p>
      )}
    </div>
  );
}
