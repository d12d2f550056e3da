import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { fieldError, formError } from '../fields/field-errors.ts';
import type { DialogProps } from './dialog.tsx';
import { FormDialog } from './form-dialog.tsx';

/** A dialog with a form that one call saves. What was typed stays until then, and the service's errors stand at their fields. */
export function SaveDialog<Saved>({
  save,
  onSaved,
  fields = [],
  children,
  ...dialog
}: Omit<DialogProps, 'children' | 'isKeptOpen'> & {
  submitLabel: string;
  busyLabel?: string;
  isDisabled?: boolean;
  save(): Promise<Saved>;
  onSaved(saved: Saved): unknown;
  /** The paths whose errors are shown at a field. */
  fields?: readonly string[];
  /** The fields. `error` returns the service's error for one of them. */
  children(error: (path: string, label: string) => string | undefined): ReactNode;
}) {
  const { mutate, error, isPending } = useMutation({ mutationFn: save, onSuccess: onSaved });
  return (
    <FormDialog
      {...dialog}
      isKeptOpen
      problem={formError(error, fields)}
      isBusy={isPending}
      onSubmit={() => mutate()}
    >
      {children((path, label) => fieldError(error, path, label))}
    </FormDialog>
  );
}
