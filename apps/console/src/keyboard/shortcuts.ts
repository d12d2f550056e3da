import { useLayoutEffect, useSyncExternalStore } from 'react';
import { storedValue } from '../stored-value.ts';
import { awaitFocus, awaitTimers, holdKey, isGateOpen, mustQueue, noticeFocus } from './held-keys.ts';

/** A keyboard shortcut. Listed in the shortcuts dialog (`?`) and the command menu (`⌘K`). */
export interface Shortcut {
  /** `j`, `?`, `Escape`, `mod+k` (⌘ or Ctrl), or two keys in sequence: `g i`. */
  keys: string;
  label: string;
  /** The heading that it is listed under. */
  group: string;
  /** It acts on the highlighted row, and waits until that row is open. */
  actsOnRow?: boolean;
  /** It moves the focus into a field, a menu or a dialog. Keys that follow at once wait for that. */
  movesFocus?: boolean;
  /** It takes precedence over shortcuts with the same keys that were registered later. */
  overrides?: boolean;
  run(): void;
}

/** Single-key shortcuts can be turned off (WCAG 2.2, 2.1.4): speech input can trigger them by accident. */
export const singleKeysOn = storedValue('shortcuts', (stored) => stored !== false);

/** How long a sequence waits for its second key. */
const SEQUENCE_TIMEOUT_MS = 1_500;

const stack: Shortcut[][] = [];
const listeners = new Set<() => void>();
let listed: readonly Shortcut[] = [];
/** The first key of a sequence. */
let pending: { key: string; at: number } | null = null;

/** Registers shortcuts while the component is mounted. The latest registration takes precedence. */
export function useShortcuts(shortcuts: Shortcut[], isOn = true): void {
  // Before the component is painted: whoever sees it can press its keys.
  useLayoutEffect(() => {
    if (!isOn) return;
    const repeated = shortcuts.find(({ keys }, n) => shortcuts.findIndex((other) => other.keys === keys) < n);
    if (repeated) throw new Error(`Two shortcuts have the keys ${repeated.keys}.`);
    stack.push(shortcuts);
    publish();
    return () => {
      stack.splice(stack.indexOf(shortcuts), 1);
      publish();
    };
  }, [shortcuts, isOn]);
}

/** Returns the active shortcuts, latest registration first. Of shortcuts with the same keys, only the latest is listed. */
export function useListedShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(subscribe, () => listed);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function publish(): void {
  const byKeys = new Map<string, Shortcut>();
  const latestFirst = stack.toReversed().flat();
  const first = latestFirst.filter(({ overrides }) => overrides);
  for (const shortcut of [...first, ...latestFirst]) {
    if (!byKeys.has(shortcut.keys)) byKeys.set(shortcut.keys, shortcut);
  }
  listed = [...byKeys.values()];
  for (const listener of listeners) listener();
}

/** Handles `keydown` for the whole console. */
export function listenToKeyboard(): void {
  // Before any element: a key that must wait has no effect yet.
  addEventListener(
    'keydown',
    (event) => {
      if (event.isComposing || isModifier(event.key)) return;
      if (event.isTrusted && mustWait(event)) holdKey(event);
      else if (isInMenu(event.target) && isPrintable(event)) awaitTimers();
    },
    { capture: true },
  );
  addEventListener('focusin', noticeFocus);
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || isModifier(event.key) || isIgnored(event)) return;
    const shortcut = shortcutOf(event);
    if (shortcut) {
      pending = null;
      event.preventDefault();
      shortcut.run();
      if (shortcut.movesFocus) awaitDialog();
    } else {
      pending = beginsSequence(event) ? { key: nameOf(event), at: event.timeStamp } : null;
    }
  });
}

/** Lets keys wait for the dialog that a shortcut or a click opens, whose code may have to be loaded first. */
export function awaitDialog(): void {
  awaitFocus(isFocusInside);
}

/** Returns whether a key must wait: for the keys before it, for the focus, or for the highlighted row to open. */
function mustWait(event: KeyboardEvent): boolean {
  const shortcut = shortcutOf(event);
  // Combinations that are the browser's, such as reload, never wait.
  const isBrowserKey = (event.metaKey || event.ctrlKey) && !shortcut && event.key !== 'Enter';
  if (isBrowserKey) return false;
  if (mustQueue()) return true;
  if (isGateOpen() || isIgnored(event)) return false;
  if (shortcut) return shortcut.actsOnRow === true;
  return isPrintable(event) && !beginsSequence(event);
}

/** Returns the shortcut of a key, or of the sequence that it completes. */
function shortcutOf(event: KeyboardEvent): Shortcut | undefined {
  const pressed = nameOf(event);
  const isSequence = pending && event.timeStamp - pending.at < SEQUENCE_TIMEOUT_MS;
  const sequence = isSequence ? `${pending!.key} ${pressed}` : null;
  return listed.find(({ keys }) => keys === sequence) ?? listed.find(({ keys }) => keys === pressed);
}

function beginsSequence(event: KeyboardEvent): boolean {
  return listed.some(({ keys }) => keys.startsWith(`${nameOf(event)} `));
}

/** Returns whether a key is not for shortcuts: it is typed into a field, or a dialog or menu handles it. */
function isIgnored(event: KeyboardEvent): boolean {
  const pressed = nameOf(event);
  const isSingle = !pressed.startsWith('mod+') && pressed !== 'Escape';
  return isSingle && (!singleKeysOn.get() || isTyping(event.target) || isInDialog(event.target));
}

function nameOf(event: KeyboardEvent): string {
  if (event.metaKey || event.ctrlKey) return `mod+${event.altKey ? 'alt+' : ''}${event.key.toLowerCase()}`;
  return event.altKey ? `alt+${event.key.toLowerCase()}` : event.key;
}

function isModifier(key: string): boolean {
  return key === 'Shift' || key === 'Control' || key === 'Alt' || key === 'Meta';
}

function isPrintable({ key, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && !metaKey && !ctrlKey && !altKey;
}

function isFocusInside(): boolean {
  return isTyping(document.activeElement) || isInDialog(document.activeElement);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, [role=combobox]'))
  );
}

function isInMenu(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('[role=menu]') !== null;
}

/** Returns whether an element is in a dialog or menu, which handle their own keys. */
function isInDialog(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('[role=dialog], [role=alertdialog], [role=menu]') !== null
  );
}
