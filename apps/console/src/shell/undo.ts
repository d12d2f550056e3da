import { announce } from './announcer.tsx';
import { toast } from './toast.ts';

/** How long the button that undoes an action is shown. The service allows a little longer for what can come too late. */
export const UNDO_MS = 8_000;

/**
 * What became of an undo: it is done; it has begun, and the service finishes it or has yet to receive it; it came too late; or it failed,
 * and the user was told why.
 */
export type UndoResult = 'undone' | 'started' | 'late' | 'failed';

type Undo = () => UndoResult | Promise<UndoResult>;

interface Undoable {
  id: string;
  name: string;
  hiddenAt: number;
  undo: Undo;
  of: string | undefined;
}

/** Tells the other tabs what can no longer be undone: one of them may send the changes of another. */
const withdrawals = new BroadcastChannel('firmdesk.withdrawn-undo');
withdrawals.addEventListener('message', ({ data }) => withdraw(data));

/** The actions of this session that were not undone, oldest first. */
const MAX_KEPT = 50;
let latest: Undoable[] = [];
let count = 0;

/**
 * Shows what was done, with a button that undoes it. Screen readers announce it. `z` undoes it also later, one action after the other.
 *
 * @param undo can come too late: the button stays while the pointer is on it
 * @param options.of what {@link withdrawUndo} names
 * @param options.hasButton the page shows a button that undoes it already: a second one would only cover something
 */
export function offerUndo(
  name: string,
  undo: Undo,
  { of, hasButton = false }: { of?: string; hasButton?: boolean } = {},
): void {
  const entry: Undoable = { id: `undo-${++count}`, name, undo, of, hiddenAt: Date.now() + UNDO_MS };
  latest = [...latest, entry].slice(-MAX_KEPT);
  if (hasButton) announce(name);
  else
    toast.message(name, {
      id: entry.id,
      duration: UNDO_MS,
      action: { label: 'Undo', onClick: () => void run(entry) },
    });
}

/** Offers no longer to undo an action that was not done, or was undone elsewhere, in any tab. */
export function withdrawUndo(of: string): void {
  withdraw(of);
  withdrawals.postMessage(of);
}

function withdraw(of: string): void {
  for (const { id } of latest.filter((each) => each.of === of)) toast.dismiss(id);
  latest = latest.filter((each) => each.of !== of);
}

/** Undoes the latest action of this session that was not undone. */
export function undoLatest(): void {
  const entry = latest.at(-1);
  if (entry) return void run(entry);
  announce('Nothing to undo.');
  toast.message('Nothing to undo');
}

/** Undoes an action of this session, unless it was undone. */
export function undoAction(of: string): void {
  const entry = latest.findLast((each) => each.of === of);
  if (entry) void run(entry);
}

async function run(entry: Undoable): Promise<void> {
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
  const result = await entry.undo();
  if (result === 'undone') announce(`Undone: ${entry.name}`);
  // Its toast is gone: nothing else may show what has changed.
  if (result === 'undone' && entry.hiddenAt < Date.now()) toast.message(`Undone: ${entry.name}`);
  if (result === 'started') announce(`Undoing: ${entry.name}`);
  if (result === 'late') {
    const tooLate = `Too late to undo: ${entry.name}`;
    toast.message(tooLate);
    announce(tooLate);
  }
}
