import type { Report } from '@firmdesk/contract';
import { csvOf } from '../settings/csv.ts';
import { ageLabel, hourLabel, weekdayLabels } from './report-texts.ts';

/** Returns a report as one table: a part, an item of it, a figure, and its values in the period and in the one before. */
export function reportCsv(report: Report): string {
  const { current, previous, days, hours, weekdays, backlog, allowance } = report;
  const rows: [string, string, string, number | null, (number | null)?][] = [];
  for (const [name, value] of Object.entries(current)) {
    const before = previous[name as keyof typeof previous];
    if (typeof value === 'number') rows.push(['period', '', name, value, before as number]);
    else if (Array.isArray(value))
      for (const [i, count] of value.entries())
        rows.push(['period', '', `${name}_${i + 1}`, count, (before as number[])[i]!]);
    else
      for (const [part, each] of Object.entries(value))
        rows.push([
          'period',
          '',
          `${name}_${part}`,
          each,
          (before as Record<string, number | null>)[part] ?? null,
        ]);
  }
  for (const { day, created, ended, first_response, resolution } of days)
    rows.push(
      ['day', day, 'created', created],
      ['day', day, 'ended', ended],
      ['day', day, 'first_response_median', first_response],
      ['day', day, 'resolution_median', resolution],
    );
  for (const [hour, count] of hours.entries()) rows.push(['hour', hourLabel(hour), 'created', count]);
  for (const [i, count] of weekdays.entries()) rows.push(['weekday', weekdayLabels[i]!, 'created', count]);
  for (const { name, count, previous: before } of report.tags)
    rows.push(['tag', name, 'created', count, before]);
  for (const { name, count, previous: before } of report.teams)
    rows.push(['team', name ?? '', 'created', count, before]);
  for (const { language, count, previous: before } of report.languages)
    rows.push(['language', language, 'created', count, before]);
  for (const { name, replies, previous_replies, ended, open, reply_time, scores } of report.agents)
    rows.push(
      ['agent', name, 'replies', replies, previous_replies],
      ['agent', name, 'ended', ended],
      ['agent', name, 'open', open],
      ['agent', name, 'reply_time_median', reply_time.median],
      ['agent', name, 'reply_time_p90', reply_time.p90],
      ...scores.map((count, i): [string, string, string, number] => [
        'agent',
        name,
        `scores_${i + 1}`,
        count,
      ]),
    );
  for (const { name, count, previous: before } of report.macros)
    rows.push(['macro', name, 'uses', count, before]);
  for (const { title, count, previous: before } of report.articles)
    rows.push(['article', title, 'uses', count, before]);
  for (const [i, { count }] of backlog.entries()) rows.push(['backlog', ageLabel(backlog, i), 'open', count]);
  rows.push(['allowance', '', 'used', allowance.used], ['allowance', '', 'limit', allowance.limit]);
  return csvOf([
    ['part', 'item', 'figure', 'value', 'previous'],
    ...rows.map(([part, item, figure, value, before]) => [
      part,
      item,
      figure,
      value === null ? '' : String(value),
      before == null ? '' : String(before),
    ]),
  ]);
}
