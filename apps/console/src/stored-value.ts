import { useSyncExternalStore } from 'react';

/** A value that is stored in the browser and shared between its tabs. */
export interface StoredValue<Value> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

/**
 * Stores a value in localStorage under `firmdesk.<name>`. `parse` turns stored JSON of any shape into a value. Without storage,
 * or when it is full, the value lasts as long as the page.
 */
export function storedValue<Value>(name: string, parse: (stored: unknown) => Value): StoredValue<Value> {
  const key = `firmdesk.${name}`;
  const listeners = new Set<() => void>();
  let value = parse(parsed(readItem(key)));

  const change = (next: Value) => {
    value = next;
    for (const listener of listeners) listener();
  };

  // Fires for changes by other tabs. Without a key, the whole storage was cleared.
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) change(parse(parsed(readItem(key))));
  });

  return {
    get: () => value,
    set(next) {
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // Storage is full or disabled: the value lasts until the page is left.
      }
      change(next);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
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
