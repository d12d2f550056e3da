import type { Identity, WorkspaceRef } from '../access/identity.ts';
import type { OperationContext } from '../platform/context.ts';
import type { Services } from '../platform/services.ts';
import type { Call } from './call.ts';

/** What tRPC is given for a call. */
export interface RequestContext {
  services: Services;
  call: Call;
  /** Reads the input of a call at its place in a batch, where the transport reads bodies itself. */
  readInput?: (batchIndex: number) => Promise<unknown>;
}

/** An operation that a transport called. */
export interface CallContext extends OperationContext {
  call: Call;
}

/** An operation that someone called: `workspace` is where it acts — the token's own, or the firm that the staff named. */
export interface AccountContext extends CallContext {
  identity: Identity;
  workspace: WorkspaceRef;
}
