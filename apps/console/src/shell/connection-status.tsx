import { Cloud, CloudOff, LoaderCircle } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { connection } from '../api.ts';
import { useUnsavedDrafts } from '../mail/drafts/unsaved-drafts.ts';
import { useIsStalled, useUnsaved } from '../outbox/outbox.ts';
import { useTimeZone } from '../session/account.ts';
import { visibleChanges } from '../tickets/sending/unsaved-ticket.ts';
import { Tooltip } from '../ui/overlays/tooltip.tsx';
import { formatSeconds } from '../ui/time/time.ts';
import { useOnline } from '../ui/use-online.ts';

export function useConnectionState() {
  return useSyncExternalStore(connection.subscribe, () => connection.state);
}

/** Shows the state of the live connection and since when. */
export function ConnectionStatus() {
  const { status, since } = useConnectionState();
  const isOnline = useOnline();
  const zone = useTimeZone();
  const [label, icon] = !isOnline
    ? ['Offline', <CloudOff key="icon" size={15} />]
    : status === 'open'
      ? ['Live', <Cloud key="icon" size={15} />]
      : status === 'idle'
        ? ['Ready', <Cloud key="icon" size={15} />]
        : ['Reconnecting…', <LoaderCircle key="icon" size={15} className="animate-spin" />];
  return (
    <Tooltip label={`${label} since ${formatSeconds(new Date(since), zone)}`}>
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

/** A banner shown while there is no network, or while changes wait for the line. */
export function OfflineBanner() {
  const isOnline = useOnline();
  const isStalled = useIsStalled();
  const unsaved = visibleChanges(useUnsaved()).length;
  const waiting = (isStalled ? unsaved : 0) + useUnsavedDrafts();
  if (isOnline && waiting === 0) return null;
  return (
    <p role="status" className="bg-warning-surface px-4 py-1.5 text-center text-warning">
      {isOnline ? 'The service can’t be reached.' : 'You are offline. This page may be out of date.'}{' '}
      {waiting > 0 && (
        <strong className="font-semibold">
          {waiting === 1 ? '1 change isn’t saved yet.' : `${waiting} changes aren’t saved yet.`}
        </strong>
      )}{' '}
      {waiting > 0 && 'They are kept in this browser and sent when you’re back online.'}
    </p>
  );
}
