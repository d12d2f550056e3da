import type { Report, ReportFigures } from '@firmdesk/contract';
import { LOCALE } from '../ui/time/time.ts';
import type { Opens } from './report-links.ts';

const number = new Intl.NumberFormat(LOCALE);
const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 0 });

/** Stands for a figure that nothing was counted for. */
export const NONE = '–';

const day = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Returns a day such as `2026-10-30` as `30 Oct`. */
export const dayLabel = (date: string): string => day.format(Date.parse(date));

export const formatCount = (count: number): string => number.format(count);

/** Returns a part of a whole as a percentage; a dash without a whole. */
export const formatShare = (part: number, whole: number): string =>
  whole === 0 ? NONE : percent.format(part / whole);

/** Returns minutes as `45 min`, `3 h 20 min` or `2 d 4 h`; a dash for null. */
export function formatMinutes(minutes: number | null): string {
  if (minutes === null) return NONE;
  if (minutes < 60) return `${minutes} min`;
  const [hours, days] = [Math.floor(minutes / 60), Math.floor(minutes / 1_440)];
  if (days === 0) return [`${hours} h`, minutes % 60 > 0 && `${minutes % 60} min`].filter(Boolean).join(' ');
  return [`${days} d`, hours % 24 > 0 && `${hours % 24} h`].filter(Boolean).join(' ');
}

/** Returns how much a figure has changed since the period before, such as `+12%`. */
export function formatChange(current: number, previous: number): string {
  if (current === previous) return 'as before';
  if (previous === 0) return 'none before';
  const change = current / previous - 1;
  return `${change > 0 ? '+' : '−'}${percent.format(Math.abs(change))}`;
}

/** Returns the average of satisfaction, such as `4.3`; a dash without scores. */
export function formatScore(scores: readonly number[]): string {
  const count = countScores(scores);
  const sum = scores.reduce((total, each, i) => total + each * (i + 1), 0);
  return count === 0 ? NONE : `${(sum / count).toFixed(1)} of 5`;
}

const countScores = (scores: readonly number[]) => scores.reduce((total, each) => total + each, 0);

export const weekdayLabels = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

export const hourLabel = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** Returns the ages of the backlog as texts: `1–2 days`. */
export function ageLabel(backlog: Report['backlog'], i: number): string {
  const [from, next] = [backlog[i]!.min_days, backlog[i + 1]?.min_days];
  if (next === undefined) return `${from} days or more`;
  if (from === 0) return 'Less than a day';
  return next - from === 1 ? `${from} ${from === 1 ? 'day' : 'days'}` : `${from}–${next - 1} days`;
}

/** A figure of the summary. `change` compares it with the period before. `hintOpens`: the tickets that its hint counts. */
export interface SummaryFigure {
  label: string;
  value: string;
  previous: string;
  change?: string;
  hint?: string;
  opens: Opens;
  hintOpens?: Opens;
}

/** Returns the figures of the summary. */
export function summaryOf({ current, previous }: Pick<Report, 'current' | 'previous'>): SummaryFigure[] {
  const counted = (name: 'created' | 'ended' | 'replies' | 'assistant_answers') => ({
    value: formatCount(current[name]),
    previous: formatCount(previous[name]),
    change: formatChange(current[name], previous[name]),
  });
  const of = (write: (figures: ReportFigures) => string) => ({
    value: write(current),
    previous: write(previous),
  });
  const sla = (name: 'first_response' | 'resolution') => {
    const counted = name === 'resolution' ? 'ended' : 'first_reply';
    return {
      ...of((figures) => formatShare(figures[name].met, figures[name].met + figures[name].missed)),
      opens: { counted, more: { sla: `${name}_met` } },
      hint: `${formatCount(current[name].missed)} missed it`,
      hintOpens: { counted, more: { sla: `${name}_missed` } },
    } as const;
  };
  return [
    { label: 'Created', opens: { counted: 'created' }, ...counted('created') },
    { label: 'Resolved', opens: { counted: 'ended' }, ...counted('ended') },
    {
      label: 'Replies of the team',
      opens: { counted: 'replied', more: { replied_by: 'team' } },
      ...counted('replies'),
    },
    {
      label: 'First response, median',
      hint: `Nine in ten within ${formatMinutes(current.first_response.p90)}`,
      opens: { counted: 'first_reply' },
      ...of((figures) => formatMinutes(figures.first_response.median)),
    },
    {
      label: 'Resolution, median',
      hint: `Nine in ten within ${formatMinutes(current.resolution.p90)}`,
      opens: { counted: 'ended' },
      ...of((figures) => formatMinutes(figures.resolution.median)),
    },
    { label: 'First responses within the SLA', ...sla('first_response') },
    { label: 'Resolutions within the SLA', ...sla('resolution') },
    {
      label: 'Answered by the assistant alone',
      hint: `${formatCount(current.ended_by_assistant)} of ${formatCount(current.ended)} resolved tickets`,
      opens: { counted: 'ended', more: { ended_by: 'assistant' } },
      ...of((figures) => formatShare(figures.ended_by_assistant, figures.ended)),
    },
    {
      label: 'Handed over to the team',
      hint: `${formatCount(current.ended_after_handover)} of ${formatCount(current.ended)} resolved tickets`,
      opens: { counted: 'ended', more: { ended_by: 'handover' } },
      ...of((figures) => formatShare(figures.ended_after_handover, figures.ended)),
    },
    {
      label: 'Answers of the assistant',
      opens: { counted: 'replied', more: { replied_by: 'assistant' } },
      ...counted('assistant_answers'),
    },
    {
      label: 'Satisfaction',
      hint: `${formatCount(countScores(current.scores))} ratings`,
      opens: { counted: 'rated' },
      ...of((figures) => formatScore(figures.scores)),
    },
  ];
}
