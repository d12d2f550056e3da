import type { Ticket } from '@firmdesk/contract';
import { Timer, TimerOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useTimeZone } from '../../session/account.ts';
import { Badge } from '../../ui/badge.tsx';
import { currentMinute, followMinutes } from '../../ui/current-minute.ts';
import { formatInFull } from '../../ui/time.ts';
import { duration } from '../../ui/timestamp.tsx';
import { type Due, nextDue } from './next-due.ts';

/** From this time before it is due, a ticket is marked. */
const SOON_MS = 30 * 60_000;

/** How much time is left for the next SLA target of a ticket, or for how long it has been overdue. */
export function DueClock({ ticket, isFull = false }: { ticket: Ticket; isFull?: boolean }) {
  const due = nextDue(ticket);
  return due && <Clock due={due} isFull={isFull} />;
}

function Clock({ due: { target, at }, isFull }: { due: Due; isFull: boolean }) {
  const now = useSyncExternalStore(followMinutes, currentMinute);
  const zone = useTimeZone();
  const left = Date.parse(at) - now;
  const name = target === 'resolution' ? 'Resolution' : 'First response';
  const Icon = left <= 0 ? TimerOff : Timer;
  return (
    <time
      dateTime={at}
      title={`${name} due ${formatInFull(new Date(at), zone)}`}
      className={isFull ? 'flex shrink-0 px-1.5' : 'flex shrink-0'}
    >
      <Badge tone={left <= 0 ? 'danger' : left < SOON_MS ? 'warning' : 'neutral'}>
        <Icon size={13} aria-hidden="true" />
        {isFull ? `${name} ` : <span className="sr-only">{name} </span>}
        {left <= 0
          ? `overdue by ${duration(Math.max(-left, 60_000))}`
          : `due in ${duration(Math.max(left, 60_000))}`}
      </Badge>
    </time>
  );
}
