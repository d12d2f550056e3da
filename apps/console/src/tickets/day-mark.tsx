import type { TicketMessage } from '@firmdesk/contract';

const DAY_MS = 86_400_000;
const days = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const ofThisYear = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const ofAnyYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' });

/** Returns the day of a message in the reader's time zone. */
export function dayOf(message: TicketMessage | undefined): string | null {
  return message ? new Date(message.created_at).toDateString() : null;
}

/** A separator that shows the date of the messages below it. */
export function DayMark({ at }: { at: string }) {
  return (
    <li className="flex items-center gap-3 py-1.5 text-xs font-medium text-muted">
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
      <time dateTime={at.slice(0, 10)}>{formatDay(new Date(at))}</time>
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
    </li>
  );
}

function formatDay(moment: Date): string {
  const now = new Date();
  const age = Math.round((midnight(now) - midnight(moment)) / DAY_MS);
  if (age === 0 || age === 1) {
    const word = days.format(-age, 'day');
    return word.charAt(0).toLocaleUpperCase() + word.slice(1);
  }
  return (moment.getFullYear() === now.getFullYear() ? ofThisYear : ofAnyYear).format(moment);
}

function midnight(moment: Date): number {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
}
