import { PLATFORM, type Scope } from '@firmdesk/contract';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { authenticateForWorkspace } from '../access/authenticate.ts';
import type { Identity, MembershipInfo, WorkspaceRef } from '../access/identity.ts';
import { ApiError } from '../platform/errors.ts';
import type { Services } from '../platform/services.ts';
import type { Call } from './call.ts';
import type { AccountContext, CallContext, RequestContext } from './call-context.ts';
import { type Access, needsMembership } from './spec.ts';

/**
 * Lets a call through to its operation, or refuses it, in the fixed order of contract §1: token, scope, admin access, firm,
 * permissions. Everything that asks for the body comes later.
 */
export async function authorize(
  access: Access,
  { services, call }: RequestContext,
): Promise<CallContext | AccountContext> {
  const now = services.clock.now();
  const context = contextOf(services, call, now);
  if (access.level === 'public') return context;

  const isForFirm = access.level !== 'account';
  const named = isForFirm && call.workspaces.length === 1 ? call.workspaces[0]! : null;
  const { identity, membership } = await authenticateForWorkspace(services, call.bearer, named, now);
  await countCall(services, call, identity);
  ensureScope(identity, access.scope);
  if (needsMembership(access)) ensureMembership(access, membership);
  if (!isForFirm) return Object.assign(context, { identity, workspace: identity.home });

  const isStaffToken = identity.home.slug === PLATFORM;
  const workspace = workspaceOf(identity, membership, isStaffToken, call.workspaces);
  call.workspaceSlug = workspace.slug;
  if (access.level === 'admin' && !isStaffToken) {
    const missing = access.permissions.find((permission) => !membership.permissions.includes(permission));
    if (missing) throw new ApiError('forbidden', { message: `This call needs the permission ${missing}.` });
  }
  return Object.assign(context, { identity, workspace });
}

/** The manager is made when it is first asked for: a small call that needs none spends as much on it as on its operation. */
function contextOf(services: Services, call: Call, now: Date): CallContext {
  let em: SqlEntityManager | undefined;
  return {
    services,
    call,
    now,
    get em() {
      em ??= services.orm.em.fork() as SqlEntityManager;
      return em;
    },
  };
}

function countCall(services: Services, call: Call, identity: Identity): Promise<void> {
  call.identity = identity;
  return services.limits.call(identity.tokenId, call.reply);
}

function ensureScope(identity: Identity, scope: Scope | null): void {
  if (scope && !identity.scopes.includes(scope)) {
    throw new ApiError('insufficient_scope', { message: `This call needs the scope ${scope}.` });
  }
}

/** Contract §5.5: administrative calls need an account that helps run the workspace, calls for a firm one that belongs to it. */
function ensureMembership({ level }: Access, { belongs, helpsRun }: MembershipInfo): void {
  if (!(level === 'admin' ? helpsRun : belongs)) throw new ApiError('admin_access_required');
}

/**
 * The firm to act in: a firm token's own, or the one that the staff name. An unknown firm and a foreign one look alike, and
 * a repeated header names none (G-24).
 */
function workspaceOf(
  identity: Identity,
  membership: MembershipInfo,
  isStaffToken: boolean,
  named: string[],
): WorkspaceRef {
  const isNamed = named.some((slug) => slug !== '');
  if (isStaffToken && !isNamed) throw new ApiError('workspace_required');
  if (!isNamed) return identity.home;
  const firm = isStaffToken ? membership.named : identity.home;
  if (!firm || named.length > 1 || named[0] !== firm.slug) throw new ApiError('workspace_not_permitted');
  return firm;
}
