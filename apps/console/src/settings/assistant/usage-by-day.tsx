import type { AssistantSettings } from '@firmdesk/contract';
import { LOCALE } from '../../ui/time/time.ts';

const count = new Intl.NumberFormat(LOCALE);
const date = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The replies of each day of this month. */
export function UsageByDay({ days }: Pick<AssistantSettings, 'days'>) {
  if (days.length === 0) return null;
  const most = Math.max(...days.map(({ used }) => used));
  return (
    <details>
      <summary className="cursor-pointer">Use by day</summary>
      <table className="mt-2 w-full border-collapse">
        <caption className="sr-only">Replies by day (UTC)</caption>
        <thead className="text-left text-xs text-muted">
          <tr>
            <th scope="col" className="w-20 py-1 font-medium">
              Day
            </th>
            <th scope="col" className="py-1 font-medium">
              Replies
            </th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, used }) => (
            <tr key={day}>
              <th scope="row" className="py-0.5 text-left font-normal text-muted">
                {date.format(new Date(day))}
              </th>
              <td className="flex items-center gap-2 py-0.5">
                <span
                  aria-hidden="true"
                  className="h-2 rounded-full bg-accent-solid forced-colors:bg-[Highlight]"
                  style={{ width: `${(used / most) * 80}%` }}
                />
                {count.format(used)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
