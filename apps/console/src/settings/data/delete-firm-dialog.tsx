import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { useAccount } from '../../session/account.ts';
import { toast } from '../../shell/toast.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { fieldError, formError } from '../../ui/fields/field-errors.ts';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';

/** Schedules the deletion of the firm, after its name was typed. */
export function DeleteFirmDialog({ onClose }: { onClose(): void }) {
  const { workspace } = useAccount();
  const [name, setName] = useState('');
  const schedule = useMutation(
    trpc.firm.data.scheduleDeletion.mutationOptions({
      onSuccess(scheduled) {
        queryClient.setQueryData(trpc.firm.data.deletion.queryKey(), scheduled);
        toast.success('The deletion is scheduled');
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title={`Delete ${workspace.name}?`}
      description="Everything in the firm is deleted in 7 days, for good. Everybody who can change its settings is told, and can cancel."
      isKeptOpen
      onClose={onClose}
      problem={formError(schedule.error, ['name'])}
      submitLabel="Delete in 7 days"
      busyLabel="Scheduling…"
      isBusy={schedule.isPending}
      isDisabled={name.trim() !== workspace.name}
      onSubmit={() => schedule.mutate({ name: name.trim() })}
    >
      <TextField
        label={`Type ${workspace.name} to delete the firm`}
        required
        autoComplete="off"
        data-initial-focus
        value={name}
        error={fieldError(schedule.error, 'name', 'The name')}
        onChange={({ target }) => setName(target.value)}
      />
    </FormDialog>
  );
}
