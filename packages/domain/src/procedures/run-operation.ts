import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import { LoopYielder } from '../platform/process/loop-yielder.ts';
import type { Call } from './call.ts';
import type { CallContext } from './call-context.ts';
import { findUnsupportedText } from './input/unsupported-text.ts';
import type { Answer, ProcedureSpec } from './spec.ts';
import { invalidFieldsError, invalidInputError } from './to-api-error.ts';

/** The number of rows from which a list is checked in slices. */
const LONG_LIST = 500;

const UNSUPPORTED_TEXT = 'contains an unsupported character (NUL or a lone surrogate)';

/** Validates the input, runs the operation, and returns its answer with a checked output. */
export async function runOperation(spec: ProcedureSpec, call: Call, ctx: CallContext): Promise<Answer> {
  const input = await readValidInput(spec, call);
  const answer = await spec.answer(await spec.operation({ ctx, input, signal: call.signal }), ctx);
  return { ...answer, output: await checkOutput(spec, answer.output) };
}

/** Checks an output against its schema. Checks a long list in slices, between which other calls use the event loop. */
async function checkOutput({ outputSchema, rowSchema }: ProcedureSpec, output: unknown): Promise<unknown> {
  const rows = rowSchema && (output as { data: unknown[] }).data;
  if (!rows || rows.length < LONG_LIST) return check(outputSchema, output);
  const rest = check(outputSchema, { ...(output as object), data: [] }) as object;
  const data: unknown[] = [];
  const yielder = new LoopYielder();
  for (const row of rows) {
    await yielder.yieldIfDue();
    data.push(check(rowSchema, row));
  }
  // The transport serializes the list in one piece.
  await setImmediate();
  return { ...rest, data };
}

function check(schema: z.ZodType, value: unknown): unknown {
  const checked = schema.safeParse(value);
  if (!checked.success) throw new Error('Output validation failed', { cause: checked.error });
  return checked.data;
}

/** Reads and validates the input of a call. */
export async function readValidInput(spec: ProcedureSpec, call: Call): Promise<unknown> {
  const rawInput = await call.readInput();
  const parsed = spec.inputSchema.safeParse(rawInput);
  if (!parsed.success) throw invalidInputError(spec, rawInput);
  const path = findUnsupportedText(parsed.data);
  if (path) throw invalidFieldsError([{ path, message: UNSUPPORTED_TEXT }], spec);
  return parsed.data;
}
