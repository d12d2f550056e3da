import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { useSavedViews } from './use-view.ts';
import { builtInViews, MAX_VIEW_NAME } from './views.ts';

/** Asks for the name of a view: one that no other has. */
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
      description="It keeps the filters and the order, in this browser. Its address works for everybody."
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <form onSubmit={submit} className="space-y-4">
        <TextField
          label="Name"
          value={text}
          required
          maxLength={MAX_VIEW_NAME}
          error={isTaken ? 'There is a view of that name.' : undefined}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="solid" disabled={given === '' || isTaken}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
