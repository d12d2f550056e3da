import { flushSync } from 'react-dom';

/** What keys wait for: the highlighted row, while it is being opened. */
export interface KeyGate {
  /** Returns whether keys act on the highlighted row. */
  isOpen(): boolean;
  /** Opens the row at once. Called when a key waits. */
  open(): void;
}

/** How often held keys check whether they can be handled. What they wait for (loading, rendering, focus) has no common event. */
const CHECK_MS = 4;
/** Later keys are dropped. */
const MAX_HELD = 200;
/**
 * How long keys wait for a shortcut that moves the focus, which may have to load code first. Then they are dropped: what was typed for a field
 * must not act as shortcuts.
 */
const FOCUS_TIMEOUT_MS = 10_000;

let gate: KeyGate | null = null;
let held: KeyboardEvent[] = [];
let isFocusAwaited: () => boolean = () => false;

/** Sets the gate of the page. Returns a function that removes it, and drops the keys that wait for it. */
export function setKeyGate(next: KeyGate): () => void {
  gate = next;
  return () => {
    if (gate !== next) return;
    dropHeldKeys();
    gate = null;
  };
}

/** Drops the keys that wait for a row, when another one was chosen by other means. Keys that wait for the focus stay. */
export function dropHeldKeys(): void {
  if (!isGateOpen()) held = [];
}

export function isGateOpen(): boolean {
  return gate === null || gate.isOpen();
}

/** Returns whether the next key must wait behind others, or for the focus. */
export function mustQueue(): boolean {
  return isFocusAwaited() || held.length > 0;
}

/** Lets the next keys wait until `hasFocus` has returned true once. */
export function awaitFocus(hasFocus: () => boolean): void {
  const giveUpAt = performance.now() + FOCUS_TIMEOUT_MS;
  isFocusAwaited = () => {
    const isTooLate = performance.now() >= giveUpAt;
    if (!isTooLate && !hasFocus()) return true;
    if (isTooLate) held = [];
    isFocusAwaited = () => false;
    return false;
  };
  noticeFocus();
}

/** Ends the wait for a focus that does not come, and drops the keys that were typed for it. */
export function giveUpFocus(): void {
  held = [];
  isFocusAwaited = () => false;
}

/** Notices that the awaited focus has come, also if it goes on before the next key. */
export function noticeFocus(): void {
  isFocusAwaited();
}

/** Lets the next keys wait until timers that are due have run: a menu moves its focus to the typed item in a timer. */
export function awaitTimers(): void {
  let haveRun = false;
  setTimeout(() => setTimeout(() => (haveRun = true)));
  isFocusAwaited = () => !haveRun;
}

/** Stops a key event. It is dispatched again, in order, once the keys before it are handled and the row is open. */
export function holdKey(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
  if (held.length >= MAX_HELD) return;
  held.push(event);
  gate?.open();
  if (held.length === 1) setTimeout(handleHeld, CHECK_MS);
}

function handleHeld(): void {
  if (!isFocusAwaited() && held.length > 0 && isGateOpen()) {
    const [event, ...others] = held;
    held = others;
    flushSync(() => repeat(event!));
  }
  // One key at a time: what a key has changed is drawn before the next one.
  if (held.length > 0) setTimeout(handleHeld, CHECK_MS);
}

/** Dispatches a key event on the element that has the focus now, with the effect that the browser gives a trusted one. */
function repeat({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): void {
  const target = document.activeElement ?? document.body;
  const again = new KeyboardEvent('keydown', {
    key,
    code,
    ctrlKey,
    metaKey,
    altKey,
    shiftKey,
    bubbles: true,
    cancelable: true,
    composed: true,
  });
  if (!target.dispatchEvent(again) || ctrlKey || metaKey || altKey) return;
  const isEditor = target instanceof HTMLElement && target.isContentEditable;
  const isText = isEditor || target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
  // The only way to type a text that the browser can undo, and that React notices.
  if (isText && key.length === 1) document.execCommand('insertText', false, key);
  else if (isText && key === 'Backspace') document.execCommand('delete');
  else if (target instanceof HTMLTextAreaElement && key === 'Enter')
    document.execCommand('insertText', false, '\n');
  else if (target instanceof HTMLInputElement && key === 'Enter') target.form?.requestSubmit();
  else if (target instanceof HTMLElement && (key === 'Enter' || key === ' ') && !isText) target.click();
}
