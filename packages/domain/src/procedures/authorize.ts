import type { Scope } from '@firmdesk/contract';
import type { Identity, MembershipInfo, WorkspaceRef } from '../access/identity.ts';
import { isStaffToken, needsReason } from '../access/policy.ts';
import { isFresh, isFreshForAccount } from '../access/sign-in/fresh.ts';
import { authenticateForWorkspace } from '../access/tokens/authenticate.ts';
import { networkOf } from '../platform/address-key.ts';
import { newContext } from '../platform/database/transaction.ts';
import { ApiError } from '../platform/process/errors.ts';
import type { Services } from '../platform/services.ts';
import type { Call } from './call.ts';
import type { AccountContext, CallContext, OperationCall } from './call-context.ts';
import {
  type Access,
  isLiveOnly,
  needsFreshSignIn,
  needsMembership,
  type ProcedureSpec,
  permissionsFor,
} from './spec.ts';

/**
 * Authorizes a call and returns the context of its operation. The checks run in the order of contract §1: token, scope,
 * admin access, firm, permissions. No check reads the body. A call that is authorized again counts once against the limit of its token.
 */
export async function authorize(
  { access, requestHeaders }: Pick<ProcedureSpec, 'access' | 'requestHeaders'>,
  services: Services,
  call: Call,
  { isAgain = false } = {},
): Promise<CallContext | AccountContext> {
  const context: CallContext = {
    ...newContext(services),
    call: operationCallOf(requestHeaders, services, call),
    network: networkOf(call.ip),
  };
  if (access.level === 'public') return context;

  // A call of the account acts in a firm only if it names one, and its operation declares the header.
  const actsInWorkspace =
    access.level !== 'account' ||
    (requestHeaders.includes('Service-Workspace') && call.workspaces.some((slug) => slug !== ''));
  const named = actsInWorkspace && call.workspaces.length === 1 ? call.workspaces[0]! : null;
  const { identity, membership } = await authenticateForWorkspace(services, call.bearer, named, context.now);
  call.identity = identity;
  if (!isAgain) await services.limits.call(identity.tokenId, call.reply);
  ensureScope(identity, access.scope);
  if (isLiveOnly(access) && identity.environment === 'test')
    throw new ApiError('forbidden', {
      message: `A test token changes test data, and not the ${access.level === 'account' ? 'account' : 'firm'}.`,
    });
  if (needsMembership(access)) ensureMembership(access, identity, membership);
  if (!actsInWorkspace) {
    ensureFresh(access, identity, context.now);
    return Object.assign(context, { identity, workspace: identity.home });
  }

  const isStaff = isStaffToken(identity);
  const workspace = workspaceOf(access, identity, membership, call.workspaces);
  call.workspaceSlug = workspace.slug;
  if (needsMembership(access) && isOfConsole(call)) ensureEntered(identity, membership, workspace);
  const missing = permissionsFor(access, identity.kind).find(
    (permission) => !isStaff && !membership.permissions.includes(permission),
  );
  if (missing) throw new ApiError('forbidden', { message: `This call needs the permission ${missing}.` });
  ensureFresh(access, identity, context.now);
  return Object.assign(context, { identity, workspace });
}

function isOfConsole({ bearer, sessions }: Pick<Call, 'bearer' | 'sessions'>): boolean {
  return bearer !== null && [...sessions.values()].includes(bearer);
}

/** In the console the staff say once for each session why they act in a firm (`staff.firms.enter`). */
function ensureEntered(identity: Identity, { namedFirm }: MembershipInfo, { name }: WorkspaceRef): void {
  if (namedFirm === null || namedFirm.isEntered || !needsReason(identity)) return;
  throw new ApiError('workspace_not_permitted', {
    message: `Say first why you act in ${name}: call staff.firms.enter with a reason.`,
  });
}

/** A stolen session does not suffice to change who can sign in. An API key was never opened by a person. */
function ensureFresh(access: Access, { signIn }: Identity, now: Date): void {
  if (!needsFreshSignIn(access)) return;
  const isEnough = access.level === 'account' ? isFreshForAccount(signIn, now) : isFresh(signIn, now);
  if (!isEnough) throw new ApiError('fresh_sign_in_required');
}

const NO_SESSIONS: ReadonlyMap<string, string> = new Map();

/** Returns what the operation may use of a call: of the headers, only the declared ones. */
function operationCallOf(
  headers: ProcedureSpec['requestHeaders'],
  services: Services,
  { ip, ifMatch, bearer, sessions, reply, watchClient }: Call,
): OperationCall {
  return {
    ip,
    ifMatch: headers.includes('If-Match') ? ifMatch : null,
    sessions: headers.includes('Cookie') ? sessions : NO_SESSIONS,
    isOfConsole: isOfConsole({ bearer, sessions }),
    countFor: (tokenId) => services.limits.call(tokenId, reply),
    watchClient,
  };
}

function ensureScope(identity: Identity, scope: Scope | null): void {
  if (scope && !identity.scopes.includes(scope)) {
    throw new ApiError('insufficient_scope', { message: `This call needs the scope ${scope}.` });
  }
}

/**
 * Contract §5.5: administrative calls need an administrator of the workspace, other calls in it a member. A device has the
 * scopes of calls for the firm because its account was an administrator when it signed in; it loses them with that role.
 */
function ensureMembership(
  { level }: Access,
  { kind }: Identity,
  { belongsToWorkspace, administersWorkspace }: MembershipInfo,
): void {
  const isAllowed =
    level === 'admin' || (level === 'workspace' && kind === 'device')
      ? administersWorkspace
      : belongsToWorkspace;
  if (!isAllowed) throw new ApiError('admin_access_required');
}

/**
 * Returns the workspace to act in: a firm token's own, or the firm that the call names. An unknown firm and one that the caller may not
 * act for get the same error; a repeated header is rejected (G-24). What the platform's services deliver to a suspended firm is stored.
 */
function workspaceOf(
  access: Access,
  identity: Identity,
  { namedFirm }: MembershipInfo,
  named: string[],
): WorkspaceRef {
  if (named.every((slug) => slug === '')) {
    if (isStaffToken(identity)) throw new ApiError('workspace_required');
    return identity.home;
  }
  const isDelivery = access.level === 'workspace' && access.scope === 'platform:write';
  if (!namedFirm || (namedFirm.isSuspended && !isDelivery)) throw new ApiError('workspace_not_permitted');
  return namedFirm;
}
