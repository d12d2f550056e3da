import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '../shell/toast.ts';
import { TextField } from '../ui/field.tsx';
import { fieldError, formError } from '../ui/field-errors.ts';
import { FormDialog } from '../ui/form-dialog.tsx';

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
  const save = useMutation({
    mutationFn: () => create({ name, slug }),
    async onSuccess() {
      toast.success(`${name} was created`);
      await onDone();
      onClose();
    },
  });
  return (
    <FormDialog
      title="New firm"
      description="Open it then, and invite its first member."
      isKeptOpen
      onClose={onClose}
      problem={formError(save.error, ['name', 'slug'])}
      submitLabel="Create"
      busyLabel="Creating…"
      isBusy={save.isPending}
      onSubmit={() => save.mutate()}
    >
      <TextField
        label="Name"
        required
        autoComplete="off"
        data-initial-focus
        maxLength={100}
        value={name}
        error={fieldError(save.error, 'name', 'The name')}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label="Slug"
        required
        autoComplete="off"
        maxLength={63}
        hint="Lower-case letters, digits and hyphens. It is in every address of the firm, and stays."
        value={slug}
        error={fieldError(save.error, 'slug', 'The slug')}
        onChange={({ target }) => setSlug(target.value)}
      />
    </FormDialog>
  );
}
