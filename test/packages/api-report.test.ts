import { expect, test } from 'vitest';
import { lost } from './api-report.ts';

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
  ['the same', BEFORE, []],
  ['a member more', BEFORE.replace('    b: number;\n', '    b: number;\n    c: string;\n'), []],
  ['an export more', BEFORE.replace('{ one,', '{ one, three,'), []],
  ['an import less', BEFORE.replace("import type { z } from 'zod';\n", ''), []],
  ['an export less', BEFORE.replace(', type Two }', ' }'), ['export Two is gone']],
  ['a member less', BEFORE.replace('    a: string;\n', ''), ['Two is another']],
  ['a member of another type', BEFORE.replace('b: number', 'b: string'), ['Two is another']],
  ['another parameter', BEFORE.replace('input: string', 'input: number'), ['one is another']],
])('%s: what users lose is found', (_, after, losses) => {
  expect(lost(BEFORE, after)).toEqual(losses);
});

test.each([
  ['an option more', '    timeoutMs?: number;', []],
  ['an option that must be given', '    timeoutMs: number;', ['CallOptions asks for more']],
])('%s: what callers must newly give is found', (_, line, losses) => {
  const before = 'export interface CallOptions {\n    url: string;\n}\n';
  expect(lost(before, before.replace('}', `${line}\n}`))).toEqual(losses);
});

test.each([
  ['a field with a default', '    c: z.ZodDefault<z.ZodString>;', []],
  ['a field that must be given', '    c: z.ZodString;', ['SaveInput asks for more']],
])('%s: what callers must newly send is found', (_, line, losses) => {
  const before = 'export declare const SaveInput: z.ZodObject<{\n    a: z.ZodString;\n}, z.core.$strip>;\n';
  expect(lost(before, before.replace('}, z', `${line}\n}, z`))).toEqual(losses);
});
