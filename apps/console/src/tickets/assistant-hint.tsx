import type { TicketWithCan } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api.ts';

const count = new Intl.NumberFormat();
const dayOfMonth = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** What asking the assistant does and costs; and when the month's allowance is used up, that it will not answer. */
export function AssistantHint({ ticket }: { ticket: TicketWithCan }) {
  const { data: settings } = useQuery(trpc.tickets.assistantSettings.queryOptions());
  if (!ticket.can.ai) return null;
  if (settings && settings.used >= settings.monthly_allowance) {
    return (
      <p role="status" className="mx-3 mb-2 rounded-md bg-warning-surface px-2.5 py-1.5 text-warning">
        The firm’s allowance of {count.format(settings.monthly_allowance)} replies for this month is used up.
        The assistant will not answer before {dayOfMonth.format(nextMonth())}, unless the allowance is raised.
      </p>
    );
  }
  return (
    <p className="px-3 pb-2 text-xs text-ai-text">
      The assistant writes the next reply, and it goes to {ticket.trader.name}. The team sees it as it is
      written.
      {settings &&
        ` ${count.format(settings.used)} of ${count.format(settings.monthly_allowance)} replies are used this month.`}
    </p>
  );
}

/** The allowance counts calendar months in UTC. */
function nextMonth(): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}
