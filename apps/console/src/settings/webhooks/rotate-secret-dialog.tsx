import type { WebhookEndpoint } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api.ts';
import { SelectField } from '../../ui/field.tsx';
import { formError } from '../../ui/field-errors.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

/** Gives an endpoint a new secret. */
export function RotateSecretDialog({
  endpoint,
  onClose,
  onRotated,
}: {
  endpoint: WebhookEndpoint;
  onClose(): void;
  onRotated(secret: string): void;
}) {
  const [hours, setHours] = useState('24');
  const rotate = useMutation(
    trpc.firm.webhooks.rotate.mutationOptions({ onSuccess: ({ secret }) => onRotated(secret) }),
  );
  return (
    <FormDialog
      title="Rotate the secret"
      description="Events are signed with both secrets until the last one ends."
      onClose={onClose}
      problem={formError(rotate.error, [])}
      submitLabel="Rotate"
      busyLabel="Rotating…"
      isBusy={rotate.isPending}
      onSubmit={() => rotate.mutate({ id: endpoint.id, overlap_hours: Number(hours) })}
    >
      <SelectField
        label="The last secret ends"
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
