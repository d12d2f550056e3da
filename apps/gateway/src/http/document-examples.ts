import { readdirSync, readFileSync } from 'node:fs';
import { type ErrorCode, errorTable } from '@firmdesk/contract';
import type { Json } from './document-components.ts';

/** What is shown of an operation: a call with the demo data, and what was answered to it and to faulty ones. */
export interface Shown {
  request: { params?: Record<string, string>; query?: Record<string, string>; body?: Json };
  answers: Record<string, Json>;
  refusals: Partial<Record<ErrorCode, Json>>;
}

const FOLDER = new URL('../../examples/', import.meta.url);
let read: Record<string, Shown> | null = null;

/** By `GET /v1/ping`; null for what is new and not yet recorded (`document-examples.test.ts` records). */
export function shownOf(target: string): Shown | null {
  read ??= Object.assign(
    {},
    ...readdirSync(FOLDER)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))),
  ) as Record<string, Shown>;
  return read[target] ?? null;
}

/** The one example of a body. */
export function exampleOf(value: Json | undefined): Json {
  return value ? { examples: { demo: { summary: 'With the demo data', value } } } : {};
}

/** The refusals of one status, each by its code. What was refused in the table's own words is shared. */
export function refusalExamples(target: string, codes: readonly ErrorCode[]): Json {
  const recorded = shownOf(target)?.refusals;
  return Object.fromEntries(
    codes.map((code) => {
      const body = recorded?.[code];
      const isShared = !body || JSON.stringify(body['error']) === JSON.stringify(errorOf(code));
      const example = { summary: `\`${code}\``, value: body };
      return [code, isShared ? { $ref: `#/components/examples/${code}` } : example];
    }),
  );
}

/** Each code in the words of the table. */
export const sharedExamples: Record<string, Json> = Object.fromEntries(
  (Object.keys(errorTable) as ErrorCode[]).map((code) => [
    code,
    {
      summary: `\`${code}\``,
      value: { error: errorOf(code), meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' } },
    },
  ]),
);

function errorOf(code: ErrorCode): Json {
  return { code, message: errorTable[code].message };
}
