import type { ApiKey } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api.ts';
import { SelectField } from '../../ui/field.tsx';
import { formError } from '../../ui/field-errors.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

/** Gives a key a new secret. */
export function RotateKeyDialog({
  apiKey,
  onClose,
  onRotated,
}: {
  apiKey: ApiKey;
  onClose(): void;
  onRotated(token: string): void;
}) {
  const [hours, setHours] = useState('24');
  const rotate = useMutation(
    trpc.firm.keys.rotate.mutationOptions({ onSuccess: ({ token }) => onRotated(token) }),
  );
  return (
    <FormDialog
      title={`Rotate ${apiKey.name ?? apiKey.id}`}
      description="The key gets a new secret. Its scopes and its expiry stay."
      onClose={onClose}
      problem={formError(rotate.error, [])}
      submitLabel="Rotate"
      busyLabel="Rotating…"
      isBusy={rotate.isPending}
      onSubmit={() => rotate.mutate({ id: apiKey.id, overlap_hours: Number(hours) })}
    >
      <SelectField
        label="The last secret stops working"
        value={hours}
        onChange={({ target }) => setHours(target.value)}
      >
        <option value="0">Now</option>
        <option value="24">After 24 hours</option>
        <option value="168">After 7 days</option>
      </SelectField>
    </FormDialog>
  );
}
