import { toast } from 'sonner';
import { announce } from './announcer.tsx';

/** How long an action can be undone, by its button or by `z`. The service allows a little longer. */
export const UNDO_MS = 8_000;

interface Undoable {
  id: string;
  name: string;
  expiresAt: number;
  undo(): void;
}

let latest: Undoable[] = [];
let count = 0;

/** Shows what was done, with a button that undoes it. Screen readers announce it. */
export function offerUndo(name: string, undo: () => void): void {
  const entry = { id: `undo-${++count}`, name, undo, expiresAt: Date.now() + UNDO_MS };
  latest = [...latest.filter(({ expiresAt }) => expiresAt > Date.now()), entry];
  toast(name, {
    id: entry.id,
    duration: UNDO_MS,
    action: { label: 'Undo', onClick: () => run(entry) },
  });
}

/** Undoes the latest action that can still be undone. */
export function undoLatest(): void {
  const entry = latest.findLast(({ expiresAt }) => expiresAt > Date.now());
  if (entry) run(entry);
  else announce('Nothing to undo.');
}

function run(entry: Undoable): void {
  // The button can be clicked again while its toast fades out.
  if (!latest.includes(entry)) return;
  latest = latest.filter((each) => each !== entry);
  toast.dismiss(entry.id);
  // The toaster gives the focus back when its button loses it: now, and not once the next key has moved it.
  if (
    document.activeElement instanceof HTMLElement &&
    document.activeElement.closest('[data-sonner-toast]')
  ) {
    document.activeElement.blur();
  }
  entry.undo();
  announce(`Undone: ${entry.name}`);
}
