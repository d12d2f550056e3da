import { useEffect, useSyncExternalStore } from 'react';
import { storedValue } from '../stored-value.ts';

/** A keyboard shortcut. Listed in the shortcuts dialog (`?`) and the command menu (`⌘K`). */
export interface Shortcut {
  /** `j`, `?`, `Escape`, `mod+k` (⌘ or Ctrl), or two keys in sequence: `g i`. */
  keys: string;
  label: string;
  /** The heading that it is listed under. */
  group: string;
  run(): void;
}

/** Single-key shortcuts can be turned off (WCAG 2.2, 2.1.4): speech input can trigger them by accident. */
export const singleKeysOn = storedValue('shortcuts', (stored) => stored !== false);

/** How long a sequence waits for its second key. */
const SEQUENCE_TIMEOUT_MS = 1_500;

const stack: Shortcut[][] = [];
const listeners = new Set<() => void>();
let listed: readonly Shortcut[] = [];

/** Registers shortcuts while the component is mounted. The latest registration takes precedence. */
export function useShortcuts(shortcuts: Shortcut[], isOn = true): void {
  useEffect(() => {
    if (!isOn) return;
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
  for (const shortcut of stack.toReversed().flat()) {
    if (!byKeys.has(shortcut.keys)) byKeys.set(shortcut.keys, shortcut);
  }
  listed = [...byKeys.values()];
  for (const listener of listeners) listener();
}

/** Handles `keydown` for the whole console. */
export function listenToKeyboard(): void {
  let pending: { key: string; at: number } | null = null;
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || isModifier(event.key)) return;
    const pressed = nameOf(event);
    const isSingle = !pressed.startsWith('mod+') && pressed !== 'Escape';
    if (isSingle && (!singleKeysOn.get() || isTyping(event.target) || isInDialog(event.target))) return;
    const sequence =
      pending && event.timeStamp - pending.at < SEQUENCE_TIMEOUT_MS ? `${pending.key} ${pressed}` : null;
    pending = null;
    const shortcut =
      listed.find(({ keys }) => keys === sequence) ?? listed.find(({ keys }) => keys === pressed);
    if (shortcut) {
      event.preventDefault();
      shortcut.run();
    } else if (listed.some(({ keys }) => keys.startsWith(`${pressed} `))) {
      pending = { key: pressed, at: event.timeStamp };
    }
  });
}

function nameOf(event: KeyboardEvent): string {
  if (event.metaKey || event.ctrlKey) return `mod+${event.altKey ? 'alt+' : ''}${event.key.toLowerCase()}`;
  return event.altKey ? `alt+${event.key.toLowerCase()}` : event.key;
}

function isModifier(key: string): boolean {
  return key === 'Shift' || key === 'Control' || key === 'Alt' || key === 'Meta';
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
  );
}

/** Returns whether an element is in a dialog or menu, which handle their own keys. */
function isInDialog(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('[role=dialog], [role=menu]') !== null;
}
