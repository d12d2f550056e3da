import { useSyncExternalStore } from 'react';

/** Returns whether the browser has a network. */
export function useOnline(): boolean {
  return useSyncExternalStore(followOnline, () => navigator.onLine);
}

function followOnline(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
