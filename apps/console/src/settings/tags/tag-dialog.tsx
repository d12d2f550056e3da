import type { FirmTag } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { toast } from '../../shell/toast.ts';
import { TextField } from '../../ui/field.tsx';
import { fieldError, formError } from '../../ui/field-errors.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

/** Creates a tag, or changes its name and its colour. */
export function TagDialog({ tag, onClose }: { tag: FirmTag | null; onClose(): void }) {
  const [name, setName] = useState(tag?.name ?? '');
  const [color, setColor] = useState(tag?.color ?? '#3451c7');
  const save = useMutation({
    mutationFn: () =>
      tag
        ? // A tag of an import can have another form of colour.
          client.firm.tags.update.mutate({ id: tag.id, name, ...(color !== tag.color && { color }) })
        : client.firm.tags.create.mutate({ name, color }),
    async onSuccess() {
      toast.success(tag ? 'Tag saved' : 'Tag created');
      await queryClient.invalidateQueries({ queryKey: trpc.firm.tags.pathKey() });
      onClose();
    },
  });
  return (
    <FormDialog
      title={tag ? `Change ${tag.name}` : 'New tag'}
      isKeptOpen
      onClose={onClose}
      problem={formError(save.error, ['name', 'color'])}
      submitLabel={tag ? 'Save' : 'Create'}
      busyLabel="Saving…"
      isBusy={save.isPending}
      onSubmit={() => save.mutate()}
    >
      <TextField
        label="Name"
        required
        autoComplete="off"
        data-initial-focus
        maxLength={40}
        value={name}
        error={fieldError(save.error, 'name', 'The name')}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label="Colour"
        type="color"
        value={color}
        error={fieldError(save.error, 'color', 'The colour')}
        onChange={({ target }) => setColor(target.value)}
      />
    </FormDialog>
  );
}
