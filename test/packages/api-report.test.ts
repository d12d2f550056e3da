import { expect, test } from 'vitest';
import { breakingChanges } from './api-report.ts';

const BEFORE = `// @firmdesk/example 0.1.0

// index.d.ts
export { one, type Two } from './one.ts';

// one.d.ts
import type { z } from 'zod';
export declare function one(input: string): number;
export interface Two {
    a: string;
    b: number;
}
`;

test.each([
  ['no change', BEFORE, []],
  ['a new member', BEFORE.replace('    b: number;\n', '    b: number;\n    c: string;\n'), []],
  ['a new export', BEFORE.replace('{ one,', '{ one, three,'), []],
  ['a removed import', BEFORE.replace("import type { z } from 'zod';\n", ''), []],
  ['a removed export', BEFORE.replace(', type Two }', ' }'), ['export Two was removed']],
  ['a removed member', BEFORE.replace('    a: string;\n', ''), ['Two was changed']],
  ['a changed type of a member', BEFORE.replace('b: number', 'b: string'), ['Two was changed']],
  ['a changed parameter', BEFORE.replace('input: string', 'input: number'), ['one was changed']],
])('reports the breaking changes of %s', (_, after, losses) => {
  expect(breakingChanges(BEFORE, after)).toEqual(losses);
});

test.each([
  ['a new option', '    timeoutMs?: number;', []],
  ['a new required option', '    timeoutMs: number;', ['CallOptions requires more']],
])('reports what callers must add for %s', (_, line, losses) => {
  const before = 'export interface CallOptions {\n    url: string;\n}\n';
  expect(breakingChanges(before, before.replace('}', `${line}\n}`))).toEqual(losses);
});

test.each([
  ['a new field with a default', '    c: z.ZodDefault<z.ZodString>;', []],
  ['a new required field', '    c: z.ZodString;', ['SaveInput requires more']],
])('reports what callers must send for %s', (_, line, losses) => {
  const before = 'export declare const SaveInput: z.ZodObject<{\n    a: z.ZodString;\n}, z.core.$strip>;\n';
  expect(breakingChanges(before, before.replace('}, z', `${line}\n}, z`))).toEqual(losses);
});
