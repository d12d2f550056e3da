import { useSyncExternalStore } from 'react';

/** A value that a browser keeps over reloads and shares between its tabs. */
export interface StoredValue<Value> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

/**
 * Keeps a value under `firmdesk.<name>`. `parse` makes a value of whatever was stored. Without storage, or when it is full,
 * the value lives as long as the page.
 */
export function storedValue<Value>(name: string, parse: (stored: unknown) => Value): StoredValue<Value> {
  const key = `firmdesk.${name}`;
  const listeners = new Set<() => void>();
  let value = parse(parsed(readItem(key)));

  const change = (next: Value) => {
    value = next;
    for (const listener of listeners) listener();
  };

  // Only other tabs' changes arrive here; no key: everything was cleared.
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) change(parse(parsed(readItem(key))));
  });

  return {
    get: () => value,
    set(next) {
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // Full or forbidden: it holds until the page is left.
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
