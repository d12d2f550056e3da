import { useSyncExternalStore } from 'react';

/** A value that is stored in the browser and shared between its tabs. */
export interface StoredValue<Value> {
  get(): Value;
  /** Returns the value as another tab may have just stored it, before the event that tells of it. A change that depends on it starts here. */
  fresh(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
  /** Stops following other tabs, if nothing uses the value and it is stored. Returns whether it did: then drop this object. */
  release(): boolean;
}

/**
 * Stores a value in localStorage under `firmdesk.<name>`. `parse` turns stored JSON of any shape into a value. Without storage,
 * or when it is full, the value lasts as long as the page.
 */
export function storedValue<Value>(name: string, parse: (stored: unknown) => Value): StoredValue<Value> {
  const key = `firmdesk.${name}`;
  const listeners = new Set<() => void>();
  let value = parse(parsed(readItem(key)));
  let isOnlyInMemory = false;

  const change = (next: Value) => {
    value = next;
    for (const listener of listeners) listener();
  };

  const reread = () => change(parse(parsed(readItem(key))));
  values.set(key, reread);
  // Added once: the listener is the same.
  addEventListener('storage', followOtherTabs);

  return {
    get: () => value,
    fresh() {
      if (!isOnlyInMemory) value = parse(parsed(readItem(key)));
      return value;
    },
    set(next) {
      try {
        if (next === null) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify(next));
        isOnlyInMemory = false;
      } catch {
        // Storage is full or disabled: the value lasts until the page is left.
        isOnlyInMemory = true;
      }
      change(next);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    release() {
      if (listeners.size > 0 || isOnlyInMemory) return false;
      if (values.get(key) === reread) values.delete(key);
      return true;
    },
  };
}

/** Returns a function that returns the stored value of a name. Only the `most` last ones, and those in use, stay in memory. */
export function storedValues<Value>(
  most: number,
  parse: (stored: unknown) => Value,
): (name: string) => StoredValue<Value> {
  const opened = new Map<string, StoredValue<Value>>();
  return (name) => {
    const known = opened.get(name) ?? storedValue(name, parse);
    // Moves it to the end: the first one is the least recently used.
    opened.delete(name);
    opened.set(name, known);
    for (const [oldest, value] of opened) {
      if (opened.size <= most) break;
      if (oldest !== name && value.release()) opened.delete(oldest);
    }
    return known;
  };
}

/** Rereads each value, by its key. One listener serves all values. */
const values = new Map<string, () => void>();

/** Follows changes by other tabs. Without a key, the whole storage was cleared. */
function followOtherTabs({ key }: StorageEvent): void {
  if (key === null) for (const reread of values.values()) reread();
  else values.get(key)?.();
}

export function useStoredValue<Value>(stored: StoredValue<Value>): Value {
  return useSyncExternalStore(stored.subscribe, stored.get);
}

function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function parsed(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
