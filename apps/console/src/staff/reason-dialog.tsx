import { useState } from 'react';
import { TextField } from '../ui/fields/field.tsx';
import { fieldError, formError } from '../ui/fields/field-errors.ts';
import { FormDialog } from '../ui/overlays/form-dialog.tsx';

const texts = {
  enter: { title: 'Open', submit: 'Open', does: 'You act in it as staff.' },
  suspend: {
    title: 'Suspend',
    submit: 'Suspend',
    does: 'Nobody can use it until it is resumed. Nothing is deleted.',
  },
  resume: { title: 'Resume', submit: 'Resume', does: 'Its members can use it again.' },
};

/** Asks the staff why they do something with a firm. */
export function ReasonDialog({
  act,
  name,
  error,
  isBusy,
  onClose,
  onSubmit,
}: {
  act: keyof typeof texts;
  name: string;
  error: unknown;
  isBusy: boolean;
  onClose(): void;
  onSubmit(reason: string): void;
}) {
  const [reason, setReason] = useState('');
  const { title, submit, does } = texts[act];
  return (
    <FormDialog
      title={`${title} ${name}`}
      description={`${does} The firm sees the reason in its audit log.`}
      onClose={onClose}
      problem={formError(error, ['reason'])}
      submitLabel={submit}
      isBusy={isBusy}
      onSubmit={() => onSubmit(reason)}
    >
      <TextField
        label="Reason"
        required
        autoComplete="off"
        data-initial-focus
        maxLength={300}
        hint="For example the number of a request."
        value={reason}
        error={fieldError(error, 'reason', 'The reason')}
        onChange={({ target }) => setReason(target.value)}
      />
    </FormDialog>
  );
}
