import type { TicketWithCan } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api.ts';
import { LOCALE } from '../../ui/time/time.ts';

const count = new Intl.NumberFormat(LOCALE);
const dayOfMonth = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** Explains what asking the assistant does, or that the month's allowance is used up. */
export function AssistantHint({ ticket }: { ticket: TicketWithCan }) {
  const { data: settings } = useQuery(trpc.tickets.assistantSettings.queryOptions());
  if (!ticket.can.ai) return null;
  if (settings && settings.used >= settings.monthly_allowance) {
    return (
      <p role="status" className="mx-3 mb-2 rounded-md bg-warning-surface px-2.5 py-1.5 text-warning">
        The firm’s allowance of {count.format(settings.monthly_allowance)} replies for this month is used up.
        The assistant replies again on {dayOfMonth.format(nextMonth())}, or after the allowance is raised.
      </p>
    );
  }
  return (
    <p className="px-3 pb-2 text-xs text-ai-text">
      The assistant’s reply is sent directly to {ticket.trader.name}. The team sees it while it is written.
      {settings &&
        ` ${count.format(settings.used)} of ${count.format(settings.monthly_allowance)} replies used this month.`}
    </p>
  );
}

/** Returns the start of the next calendar month in UTC, when the allowance resets. */
function nextMonth(): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}
