import type { Identity, WorkspaceRef } from '../access/identity.ts';
import type { OperationContext } from '../platform/database/context.ts';
import type { Services } from '../platform/services.ts';
import type { Call, SharedCall, WatchClient } from './call.ts';

/** tRPC's context: one per request, or per socket. */
export interface RequestContext {
  services: Services;
  call: SharedCall;
  /** Reads the input of the call at an index of a batch, where the transport reads bodies itself. */
  readInput?: (call: Call, batchIndex: number) => Promise<unknown>;
}

/** The part of a call that its operation may use. It is the same over every transport. */
export interface OperationCall {
  ip: string;
  /** `If-Match` (RFC 9110 §13.1.1) as received; null unless the procedure declares the header. */
  ifMatch: string | null;
  /** The session tokens of the console's cookies by workspace; empty unless the procedure declares `Cookie`. */
  sessions: ReadonlyMap<string, string>;
  /** Whether a page of the console sent it, with a session of its cookies. */
  isOfConsole: boolean;
  /** Counts the call against the rate limit of another token. Throws `rate_limited`. */
  countFor(tokenId: string): Promise<void>;
  watchClient: WatchClient;
}

/** The context of an operation that a transport called. */
export interface CallContext extends OperationContext {
  call: OperationCall;
}

/**
 * The context of an operation with an authenticated caller. `workspace` is where it acts: the token's own, or the firm that
 * the staff named.
 */
export interface AccountContext extends CallContext, MemberContext {}

/** The part of an {@link AccountContext} that does not come from a call. */
export interface MemberContext extends OperationContext {
  identity: Identity;
  workspace: WorkspaceRef;
}

/** Returns the id of the firm in which a call acts; null for a call without authentication. */
export function firmOf(ctx: CallContext | AccountContext): number | null {
  return 'workspace' in ctx ? ctx.workspace.id : null;
}
