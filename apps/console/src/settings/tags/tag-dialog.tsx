import type { FirmTag } from '@firmdesk/contract';
import { useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { toast } from '../../shell/toast.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { SaveDialog } from '../../ui/overlays/save-dialog.tsx';

/** Creates a tag, or changes its name and its colour. */
export function TagDialog({ tag, onClose }: { tag: FirmTag | null; onClose(): void }) {
  const [name, setName] = useState(tag?.name ?? '');
  const [color, setColor] = useState(tag?.color ?? '#3451c7');
  return (
    <SaveDialog
      title={tag ? `Change ${tag.name}` : 'New tag'}
      onClose={onClose}
      fields={['name', 'color']}
      submitLabel={tag ? 'Save' : 'Create'}
      busyLabel="Saving…"
      save={() =>
        tag
          ? // A tag of an import can have another form of colour.
            client.firm.tags.update.mutate({ id: tag.id, name, ...(color !== tag.color && { color }) })
          : client.firm.tags.create.mutate({ name, color })
      }
      onSaved={async () => {
        toast.success(tag ? 'Tag saved' : 'Tag created');
        await queryClient.invalidateQueries({ queryKey: trpc.firm.tags.pathKey() });
        onClose();
      }}
    >
      {(error) => (
        <>
          <TextField
            label="Name"
            required
            autoComplete="off"
            data-initial-focus
            maxLength={40}
            value={name}
            error={error('name', 'The name')}
            onChange={({ target }) => setName(target.value)}
          />
          <TextField
            label="Colour"
            type="color"
            value={color}
            error={error('color', 'The colour')}
            onChange={({ target }) => setColor(target.value)}
          />
        </>
      )}
    </SaveDialog>
  );
}
