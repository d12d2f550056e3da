import { Cloud, CloudOff, LoaderCircle } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { connection } from '../api.ts';
import { Tooltip } from '../ui/tooltip.tsx';

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

export function useConnectionState() {
  return useSyncExternalStore(connection.subscribe, () => connection.state);
}

export function useOnline(): boolean {
  return useSyncExternalStore(followOnline, () => navigator.onLine);
}

/** Shows the state of the live connection and since when. */
export function ConnectionStatus() {
  const { status, since } = useConnectionState();
  const isOnline = useOnline();
  const [label, icon] = !isOnline
    ? ['Offline', <CloudOff key="icon" size={15} />]
    : status === 'open'
      ? ['Live', <Cloud key="icon" size={15} />]
      : status === 'idle'
        ? ['Ready', <Cloud key="icon" size={15} />]
        : ['Reconnecting…', <LoaderCircle key="icon" size={15} className="animate-spin" />];
  return (
    <Tooltip label={`${label} since ${time.format(since)}`}>
      <span
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip is for keyboards too
        tabIndex={0}
        data-connection={isOnline ? status : 'offline'}
        className="inline-flex h-8 items-center gap-1.5 rounded-md px-2 text-xs text-muted"
      >
        <span aria-hidden="true">{icon}</span>
        <span role="status">{label}</span>
      </span>
    </Tooltip>
  );
}

/** A banner shown while there is no network. */
export function OfflineBanner() {
  if (useOnline()) return null;
  return (
    <p role="status" className="bg-warning-surface px-4 py-1.5 text-center text-warning">
      You are offline. This page may be out of date. Your drafts are kept.
    </p>
  );
}

function followOnline(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
