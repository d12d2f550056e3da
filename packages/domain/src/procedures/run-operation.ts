import type { Call } from './call.ts';
import type { CallContext } from './call-context.ts';
import type { ProcedureSpec } from './spec.ts';
import { invalidInput, refusedInput } from './to-api-error.ts';
import { findUnsupportedText } from './unsupported-text.ts';

const UNSUPPORTED_TEXT = 'contains an unsupported character (NUL or a lone surrogate)';

/** Runs the operation between the validation of its input and the check of its output. */
export async function runOperation(spec: ProcedureSpec, context: CallContext): Promise<unknown> {
  const { call } = context;
  const input = await readValidInput(spec, call);
  const output = await spec.operation({ ctx: context, input, signal: call.signal });
  const checked = spec.outputSchema.safeParse(output);
  if (!checked.success) throw new Error('Output validation failed', { cause: checked.error });
  return checked.data;
}

/** Reads and validates the input of a call. */
export async function readValidInput(spec: ProcedureSpec, call: Call): Promise<unknown> {
  const rawInput = await call.readInput();
  const parsed = spec.inputSchema.safeParse(rawInput);
  if (!parsed.success) throw invalidInput(spec, rawInput);
  const path = findUnsupportedText(parsed.data);
  if (path) throw refusedInput([{ path, message: UNSUPPORTED_TEXT }], spec);
  return parsed.data;
}
