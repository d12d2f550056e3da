import type { Outcome } from './rounds.ts';

/** The memory limit of a process, in MiB. */
export const MEMORY_BOUND = 512;

/** All rounds of one fault. Times in seconds; null if one was never reached. */
export interface Line {
  fault: string;
  tried: number;
  acknowledged: number;
  lost: number;
  duplicated: number;
  longest_recovery_s: number | null;
  longest_settled_s: number | null;
  longest_answer_s: number;
  memory_mib: number;
  errors: Record<string, number>;
  /** The failures as text. */
  details: string[];
  holds: boolean;
}

export function linesOf(outcomes: readonly Outcome[]): Line[] {
  return [...Map.groupBy(outcomes, ({ fault }) => fault)].map(([fault, all]) => {
    const sum = (of: (outcome: Outcome) => number) => all.reduce((total, outcome) => total + of(outcome), 0);
    const most = (of: (outcome: Outcome) => number) => Math.max(...all.map(of));
    const longest = (of: (outcome: Outcome) => number | null) =>
      all.some((outcome) => of(outcome) === null) ? null : seconds(most((outcome) => of(outcome)!));
    return {
      fault,
      tried: all.length,
      acknowledged: sum(({ acknowledged }) => acknowledged),
      lost: sum(({ lost }) => lost.length),
      duplicated: sum(({ duplicated }) => duplicated.length),
      longest_recovery_s: longest(({ recoveryMs }) => recoveryMs),
      longest_settled_s: longest(({ settledMs }) => settledMs),
      longest_answer_s: seconds(most(({ longestAnswerMs }) => longestAnswerMs)),
      memory_mib: Math.round(most(({ memory }) => memory)),
      errors: errorsOf(all),
      details: all.flatMap(faultsOf),
      holds: all.every((outcome) => faultsOf(outcome).length === 0),
    };
  });
}

/** Returns the violated expectations of an outcome. */
export function faultsOf({ lost, duplicated, wrong, recoveryMs, settledMs, memory }: Outcome): string[] {
  return [
    ...lost.map((name) => `lost: ${name}`),
    ...duplicated.map((name) => `duplicated: ${name}`),
    ...wrong,
    ...(recoveryMs === null ? ['it did not recover'] : []),
    ...(settledMs === null ? ['some effects of acknowledged writes are missing'] : []),
    ...(memory > MEMORY_BOUND ? [`a process used ${Math.round(memory)} MiB`] : []),
  ];
}

function errorsOf(outcomes: readonly Outcome[]): Record<string, number> {
  const errors: Record<string, number> = {};
  for (const outcome of outcomes) {
    for (const [error, count] of Object.entries(outcome.errors)) errors[error] = (errors[error] ?? 0) + count;
  }
  return errors;
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10;
}

const HEADS = [
  'fault',
  'tried',
  'acknowledged',
  'lost',
  'duplicated',
  'recovery, s',
  'settled, s',
  'answer, s',
  'MiB',
];

/** Formats a table with the longest times, and below each line the errors of clients. */
export function tableOf(lines: readonly Line[]): string {
  const rows = lines.map((line) => [
    line.fault,
    line.tried,
    line.acknowledged,
    line.lost,
    line.duplicated,
    line.longest_recovery_s ?? 'never',
    line.longest_settled_s ?? 'never',
    line.longest_answer_s,
    line.memory_mib,
  ]);
  const all = [HEADS, ...rows].map((row) => row.map(String));
  const widths = HEADS.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const text = (row: string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ');
  return all
    .map((row, at) => {
      const line = lines[at - 1];
      const errors = Object.entries(line?.errors ?? {}).map(([error, count]) => `${error} × ${count}`);
      return [
        text(row),
        ...(errors.length > 0 ? [`  retried: ${errors.join(', ')}`] : []),
        ...(line?.details ?? []).map((detail) => `  ! ${detail}`),
      ].join('\n');
    })
    .join('\n');
}

/** Formats the report as a table of Markdown. */
export function markdownOf(lines: readonly Line[]): string {
  const rows = lines.map(
    ({ fault, acknowledged, lost, duplicated, longest_recovery_s, longest_answer_s }) => [
      fault,
      acknowledged.toLocaleString('en'),
      lost,
      duplicated,
      longest_recovery_s ?? 'never',
      longest_answer_s,
    ],
  );
  const heads = ['fault', 'writes acknowledged', 'lost', 'duplicated', 'recovery, s', 'longest answer, s'];
  const all = [heads, ...rows].map((row) => row.map(String));
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const text = (row: string[]) =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[at]!))).join(' | ')} |`;
  const rule = `| ${widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  const [head, ...body] = all;
  return [text(head!), rule, ...body.map(text)].join('\n');
}
