import type { Identity, WorkspaceRef } from '../access/identity.ts';
import type { OperationContext } from '../platform/context.ts';
import type { Services } from '../platform/services.ts';
import type { Call, SharedCall } from './call.ts';

/** tRPC's context: one per request, or per socket. */
export interface RequestContext {
  services: Services;
  call: SharedCall;
  /** Reads the input of the call at an index of a batch, where the transport reads bodies itself. */
  readInput?: (call: Call, batchIndex: number) => Promise<unknown>;
}

/** The context of an operation that a transport called. */
export interface CallContext extends OperationContext {
  call: Call;
}

/**
 * The context of an operation with an authenticated caller. `workspace` is where it acts: the token's own, or the firm that
 * the staff named.
 */
export interface AccountContext extends CallContext {
  identity: Identity;
  workspace: WorkspaceRef;
}
