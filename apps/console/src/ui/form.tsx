import { type ReactNode, useEffect, useRef } from 'react';
import { loadFormChecks } from '../forms/load-form-checks.ts';
import { focusUnread, useFocusInvalid } from './fields/focus-invalid.ts';

/**
 * A form whose errors stand at its fields: the browser's own checks are off, what checks the form is loaded when it opens, and the first invalid field
 * gets the focus once it was sent.
 */
export function Form({
  isBusy,
  onSubmit,
  className,
  children,
}: {
  /** Whether it is being sent. */
  isBusy: boolean;
  onSubmit(): void;
  className?: string;
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  useFocusInvalid(form, isBusy);
  useEffect(loadFormChecks, []);
  return (
    <form
      ref={form}
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && !focusUnread(form.current!)) onSubmit();
      }}
    >
      {children}
    </form>
  );
}
