import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { useSavedViews } from './use-view.ts';
import { builtInViews, MAX_VIEW_NAME } from './views.ts';

/** Asks for the name of a view. Names must be unique. */
export function ViewDialog({
  title,
  name,
  onName,
  onClose,
}: {
  title: string;
  name: string;
  onName(name: string): void;
  onClose(): void;
}) {
  const [text, setText] = useState(name);
  const saved = useSavedViews();
  const given = text.trim();
  const isTaken = given !== name && [...builtInViews, ...saved].some((view) => view.name === given);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (given !== '' && !isTaken) onName(given);
  };
  return (
    <Dialog
      title={title}
      description="Saves filters and sort order. Applies to this browser. To share a view, copy the page’s URL."
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <form onSubmit={submit} className="space-y-4">
        <TextField
          label="Name"
          value={text}
          required
          maxLength={MAX_VIEW_NAME}
          error={isTaken ? 'A view with this name already exists.' : undefined}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" disabled={given === '' || isTaken}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
