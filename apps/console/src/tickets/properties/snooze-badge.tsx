import type { Ticket, TicketWithCan } from '@firmdesk/contract';
import { AlarmClock, AlarmClockCheck } from 'lucide-react';
import { useTimeZone } from '../../session/account.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { formatMoment } from '../../ui/time/time.ts';

const WOKEN = 'Back from snooze';

/** Until when the open ticket is snoozed, with a button that ends it; or that its snooze has ended. */
export function SnoozeBadge({ ticket, onEnd }: { ticket: TicketWithCan; onEnd(): void }) {
  const sentence = useSnoozeSentence(ticket);
  if (sentence === null) return null;
  return (
    <span className="inline-flex items-center gap-1 px-1.5">
      <Badge tone={ticket.snoozed ? 'neutral' : 'warning'}>{sentence}</Badge>
      {ticket.snoozed && ticket.can.manage && (
        <Button variant="quiet" className="h-7 px-2 text-xs" onClick={onEnd}>
          End snooze
        </Button>
      )}
    </span>
  );
}

/** A sign in the row of a ticket that it is snoozed, or that its snooze has ended. */
export function SnoozeSign({ ticket }: { ticket: Ticket }) {
  const sentence = useSnoozeSentence(ticket);
  if (sentence === null) return null;
  const Icon = ticket.snoozed ? AlarmClock : AlarmClockCheck;
  return (
    <span title={sentence} className={ticket.snoozed ? 'shrink-0 text-muted' : 'shrink-0 text-warning'}>
      <Icon size={14} aria-hidden="true" />
      <span className="sr-only">{sentence}</span>
    </span>
  );
}

function useSnoozeSentence({ snoozed, snoozed_until, woken_at }: Ticket): string | null {
  const zone = useTimeZone();
  if (!snoozed) return woken_at ? WOKEN : null;
  if (!snoozed_until) return 'Snoozed until the trader writes';
  return `Snoozed until ${formatMoment(new Date(snoozed_until), new Date(), zone)}`;
}
