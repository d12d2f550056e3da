import type { FirmTag } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { toast } from '../../shell/toast.ts';
import { SelectField } from '../../ui/field.tsx';
import { formError } from '../../ui/field-errors.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

/** Replaces a tag by another wherever it is used. */
export function MergeTagDialog({
  tag,
  others,
  onClose,
}: {
  tag: FirmTag;
  others: readonly FirmTag[];
  onClose(): void;
}) {
  const [into, setInto] = useState('');
  const merge = useMutation(
    trpc.firm.tags.merge.mutationOptions({
      async onSuccess({ name }) {
        toast.success(`${tag.name} was merged into ${name}`);
        await queryClient.invalidateQueries({ queryKey: trpc.firm.tags.pathKey() });
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title={`Merge ${tag.name}`}
      description={`${tag.tickets} tickets, ${tag.conversations} conversations and ${tag.events} events get the other tag. This can’t be undone.`}
      onClose={onClose}
      problem={formError(merge.error, [])}
      submitLabel="Merge"
      busyLabel="Merging…"
      isBusy={merge.isPending}
      isDisabled={into === ''}
      onSubmit={() => merge.mutate({ id: tag.id, into: Number(into) })}
    >
      <SelectField label="Into" value={into} onChange={({ target }) => setInto(target.value)}>
        <option value="">Choose a tag</option>
        {others.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
