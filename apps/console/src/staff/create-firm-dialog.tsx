import { useState } from 'react';
import { toast } from '../shell/toast.ts';
import { TextField } from '../ui/fields/field.tsx';
import { SaveDialog } from '../ui/overlays/save-dialog.tsx';

/** Creates a firm. Its first member is invited from its own settings. */
export function CreateFirmDialog({
  create,
  onDone,
  onClose,
}: {
  create(firm: { name: string; slug: string }): Promise<unknown>;
  onDone(): Promise<void>;
  onClose(): void;
}) {
  const [name, setName] = useState('');
  const [slug, setSlug] = useState('');
  return (
    <SaveDialog
      title="New firm"
      description="Open it then, and invite its first member."
      onClose={onClose}
      fields={['name', 'slug']}
      submitLabel="Create"
      busyLabel="Creating…"
      save={() => create({ name, slug })}
      onSaved={async () => {
        toast.success(`${name} was created`);
        await onDone();
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
            maxLength={100}
            value={name}
            error={error('name', 'The name')}
            onChange={({ target }) => setName(target.value)}
          />
          <TextField
            label="Slug"
            required
            autoComplete="off"
            maxLength={63}
            hint="Lower-case letters, digits and hyphens. It is in every address of the firm, and stays."
            value={slug}
            error={error('slug', 'The slug')}
            onChange={({ target }) => setSlug(target.value)}
          />
        </>
      )}
    </SaveDialog>
  );
}
