import type { ErrorCode } from '@firmdesk/contract';
import { recordStaffRead } from '../access/audit/record-staff-read.ts';
import type { ApiError } from '../platform/process/errors.ts';
import { withSpan } from '../platform/process/trace.ts';
import type { Services } from '../platform/services.ts';
import { authorize } from './authorize.ts';
import { type Call, fillReply } from './call.ts';
import { type AccountContext, type CallContext, firmOf } from './call-context.ts';
import { reportError } from './report-error.ts';
import { runInTurn } from './run-in-turn.ts';
import { runMutation } from './run-mutation.ts';
import { runOperation } from './run-operation.ts';
import { needsMembership, type ProcedureSpec } from './spec.ts';
import { countSubscription } from './subscriptions.ts';
import { toApiError } from './to-api-error.ts';

/**
 * Executes one call of a procedure: authorizes it, validates its input, runs the operation, checks its output. Every
 * transport ends here, so a check added here or in a function called from here guards all of them. Throws an
 * {@link ApiError}.
 */
export function execute(spec: ProcedureSpec, services: Services, call: Call): Promise<unknown> {
  const span = {
    name: call.procedure,
    kind: 'server',
    attributes: { 'firmdesk.request_id': call.requestId, 'firmdesk.transport': call.transport },
    parent: call.traceparent,
  } as const;
  return withSpan(span, (running) => {
    call.span = running?.ids ?? null;
    return run(spec, services, call);
  });
}

async function run(spec: ProcedureSpec, services: Services, call: Call): Promise<unknown> {
  let release: (() => void) | null = null;
  try {
    const ctx = await authorize(spec, services, call);
    if (spec.kind === 'mutation') return await runMutation(spec, call, ctx);
    if (needsMembership(spec.access))
      await recordStaffRead(services, { ...(ctx as AccountContext), procedure: call.procedure });
    if (spec.kind === 'query') {
      // The input is read before the call takes its share of the connections, because a client may send it slowly.
      await call.readInput();
      return await runInTurn(spec, call, ctx, () =>
        services.firmServers.run(firmOf(ctx), () => runQuery(spec, call, ctx)),
      );
    }
    release = countSubscription(call);
    await call.readInput();
    return await runInTurn(spec, call, ctx, () => runQuery(spec, call, ctx));
  } catch (thrown) {
    release?.();
    const error = toApiError(thrown, spec);
    report(spec, services, call, error);
    throw error;
  }
}

/** Runs a query or starts a subscription. */
async function runQuery(spec: ProcedureSpec, call: Call, ctx: CallContext): Promise<unknown> {
  const { output, status = null, headers = {} } = await runOperation(spec, call, ctx);
  fillReply(call.reply, { status, headers, body: null });
  return output;
}

/** Over typed RPC, any input can be rejected for its form. */
const inputErrors: readonly ErrorCode[] = [
  'validation_failed',
  'payload_too_large',
  'unsupported_media_type',
];

/** Reports an error, and logs one whose code the procedure does not declare. */
function report(spec: ProcedureSpec, services: Services, call: Call, error: ApiError): void {
  reportError(services, call, error);
  const { apiCode: code } = error;
  const isDeclared = spec.errors.includes(code) || (call.transport !== 'rest' && inputErrors.includes(code));
  if (isDeclared) return;
  const fields = { request_id: call.requestId, procedure: call.procedure, code };
  services.log.error(fields, 'undeclared error code');
}
