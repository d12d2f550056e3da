import { MAX_REPORT_DAYS } from '@firmdesk/contract';
import { isDay } from '../calendar/views/days.ts';

const DAY_MS = 86_400_000;

/** What is shown, as it is in the URL. Without days: the last 30. */
export interface ReportSearch {
  from?: string;
  until?: string;
  /** The id of a team, or `none`. */
  team?: string;
}

/** Returns what a URL shows. Days that are no period are left out. */
export function parseReportSearch(search: Record<string, unknown>): ReportSearch {
  const { from, until } = search;
  const team = String(search['team'] ?? '');
  const isPeriod = isDay(from) && isDay(until) && from <= until && lengthOf(from, until) <= MAX_REPORT_DAYS;
  return {
    ...(isPeriod && { from, until }),
    ...(/^(none|[1-9]\d{0,8})$/.test(team) && { team }),
  };
}

function lengthOf(from: string, until: string): number {
  return (Date.parse(until) - Date.parse(from)) / DAY_MS + 1;
}

/** Returns the last days until a day. */
export function lastDays(count: number, today: string): { from: string; until: string } {
  return {
    from: new Date(Date.parse(today) - (count - 1) * DAY_MS).toISOString().slice(0, 10),
    until: today,
  };
}
