import type { ErrorCode } from '@firmdesk/contract';
import type { AnyProcedure } from '@trpc/server';
import type { ApiError } from '../platform/errors.ts';
import { authorize } from './authorize.ts';
import type { CallContext, RequestContext } from './call-context.ts';
import { type Outcome, runMutation } from './run-mutation.ts';
import { type ProcedureMeta, type ProcedureSpec, specOf } from './spec.ts';
import { invalidInput, refusedInput, toApiError } from './to-api-error.ts';
import { findUnsupportedText } from './unsupported-text.ts';

interface Performed {
  meta: ProcedureMeta;
  spec: ProcedureSpec;
  /** The procedure's name in typed RPC. */
  path: string;
  /** Method and path: with the token and the firm, the scope of an idempotency key. */
  target: string;
  readInput: () => Promise<unknown>;
}

/** A call from its guards to its outcome, whichever transport brought it. `run` validates and runs the operation. */
export async function execute<Context extends CallContext>(
  { meta, spec, path, target, readInput }: Performed,
  request: RequestContext,
  run: (context: Context) => Promise<Outcome>,
): Promise<Outcome> {
  let outcome: Outcome;
  try {
    const context = (await authorize(meta.access, request)) as Context;
    const prepare =
      meta.prepare &&
      (async () => {
        const prepared = await meta.prepare!(context, validInput(meta, spec, await readInput()));
        Object.assign(context, { prepared });
      });
    outcome =
      spec.kind === 'mutation'
        ? await runMutation({ spec, ctx: context, target, readInput, prepare, run: () => run(context) })
        : await run(context);
  } catch (error) {
    outcome = { ok: false, error };
  }
  if (outcome.ok) return outcome;
  const error = toApiError(outcome.error, spec);
  report(request, path, error, spec);
  return { ok: false, error };
}

/** What the builder of a procedure keeps of it, beside what tRPC's types say. */
interface Defined {
  type: ProcedureSpec['kind'];
  meta: ProcedureMeta;
  resolver: (options: object) => unknown;
}

/**
 * Calls a query or mutation with everything that it declares, as tRPC would, without the copies of the context that each
 * step of tRPC's chain makes: they cost as much as the operation of a small call. Throws an {@link ApiError}.
 */
export async function callProcedure(
  procedure: AnyProcedure,
  path: string,
  target: string,
  request: RequestContext,
  readInput: () => Promise<unknown>,
): Promise<unknown> {
  const { type, meta, resolver } = procedure._def as unknown as Defined;
  const spec = specOf(meta, type);
  const outcome = await execute({ meta, spec, path, target, readInput }, request, async (ctx) => {
    try {
      const input = validInput(meta, spec, await readInput());
      const answer = await resolver({ ctx, input, path, type });
      const checked = meta.output.safeParse(answer);
      if (checked.success) return { ok: true, data: checked.data };
      throw new Error('Output validation failed', { cause: checked.error });
    } catch (error) {
      return { ok: false, error };
    }
  });
  if (!outcome.ok) throw outcome.error;
  return outcome.data;
}

function validInput(meta: ProcedureMeta, spec: ProcedureSpec, rawInput: unknown): unknown {
  const parsed = meta.input.safeParse(rawInput);
  if (!parsed.success) throw invalidInput(meta, spec, rawInput);
  ensureSupportedText(parsed.data, spec);
  return parsed.data;
}

const UNSUPPORTED_TEXT = 'contains an unsupported character (NUL or a lone surrogate)';

export function ensureSupportedText(input: unknown, spec: ProcedureSpec): void {
  const path = findUnsupportedText(input);
  if (path) throw refusedInput([{ path, message: UNSUPPORTED_TEXT }], spec);
}

/** What any input over RPC can be refused with for its form, whatever it is the input of. */
const ofForm: readonly ErrorCode[] = ['validation_failed', 'payload_too_large', 'unsupported_media_type'];

/** Faults of ours are logged here, once, with their cause; refusals are the caller's business. */
function report(
  { services, call }: RequestContext,
  path: string,
  error: ApiError,
  spec: ProcedureSpec,
): void {
  const { apiCode, status, cause } = error;
  const fields = { request_id: call.requestId, procedure: path, code: apiCode };
  if (status >= 500) services.log.error({ ...fields, err: cause }, 'call failed');
  const isDeclared = spec.errors.includes(apiCode) || (call.transport !== 'rest' && ofForm.includes(apiCode));
  if (!isDeclared) services.log.error(fields, 'undeclared error code');
}
