import { readdirSync, readFileSync } from 'node:fs';
import { type ErrorCode, errorTable } from '@firmdesk/contract';
import type { Json } from './document-components.ts';

/** The examples of an operation: a call with the demo data, its answer, and the answers to invalid calls. */
export interface Shown {
  request: { params?: Record<string, string>; query?: Record<string, string>; body?: Json };
  answers: Record<string, Json>;
  refusals: Partial<Record<ErrorCode, Json>>;
}

const FOLDER = new URL('../../examples/', import.meta.url);
let read: Record<string, Shown> | null = null;

/** Returns the examples of `GET /v1/ping`; null for a new operation, until `document-examples.test.ts` records them. */
export function shownOf(target: string): Shown | null {
  read ??= Object.assign(
    {},
    ...readdirSync(FOLDER)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))),
  ) as Record<string, Shown>;
  return read[target] ?? null;
}

/** Returns the example of a body. */
export function exampleOf(value: Json | undefined): Json {
  return value ? { examples: { demo: { summary: 'With the demo data', value } } } : {};
}

/** Returns the error examples of one status by code. Those with the default message are shared by reference. */
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

/** Returns an example of each code with its default message. */
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
