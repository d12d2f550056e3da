import { Scope, type TokenEnvironment, type TokenKind } from '@firmdesk/contract';
import { LockMode } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import { getUser } from '../accounts/users.ts';
import { recordAudit } from '../audit/audit.ts';
import { belongsTo } from '../policy.ts';
import { ensureSandbox } from '../workspaces/ensure-sandbox.ts';
import { getFirm } from '../workspaces/workspaces.ts';
import { issueToken } from './issue-token.ts';
import { Token } from './token.entity.ts';
import { thisTransaction } from './token-rights.ts';

export interface IssueKeyInput {
  email: string;
  workspace: string;
  scopes: readonly string[];
  environment: TokenEnvironment;
  name?: string | null;
  expiresAt?: Date | null;
}

/** Issues an API key to an account for one of its workspaces, or for the sandbox of one. `text` is shown once. */
export async function issueKey(
  ctx: OperationContext,
  input: IssueKeyInput,
): Promise<{ token: Token; text: string }> {
  const scopes = input.scopes.map((scope) => {
    const parsed = Scope.safeParse(scope);
    if (!parsed.success)
      throw invalidField('scopes', `must not contain "${scope}": the scopes are ${Scope.options.join(', ')}`);
    return parsed.data;
  });
  if (input.expiresAt && input.expiresAt <= ctx.now) throw invalidField('expires', 'must be in the future');
  const user = await getUser(ctx, input.email);
  const workspace = await getFirm(ctx, input.workspace);
  const { rows } = await sql`select where ${belongsTo(user.id, workspace.id)}`.execute(ctx.db);
  if (rows.length === 0)
    throw invalidField('workspace', `must be a workspace of ${user.email}, got "${workspace.slug}"`);
  const issued = issueToken(ctx, {
    userId: user.id,
    workspaceId:
      input.environment === 'test' ? await ensureSandbox(ctx.db, workspace.id, ctx.now) : workspace.id,
    kind: 'api_key',
    environment: input.environment,
    scopes,
    name: input.name ?? null,
    expiresAt: input.expiresAt ?? null,
  });
  await ctx.em.flush();
  await recordAudit(ctx, workspace.id, {
    action: 'token.issued',
    target: { type: 'token', id: issued.token.id },
    after: { user: user.id, scopes, environment: input.environment },
  });
  return issued;
}

export interface TokenSummary {
  id: string;
  kind: TokenKind;
  environment: TokenEnvironment;
  workspace: string;
  name: string | null;
  scopes: string[];
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

/** Returns all tokens of an account, newest first, including revoked and expired ones. */
export async function listTokens(ctx: OperationContext, email: string): Promise<TokenSummary[]> {
  const user = await getUser(ctx, email);
  return ctx.db
    .selectFrom('tokens as t')
    .innerJoin('workspaces as w', 'w.id', 't.workspace_id')
    .select(['t.id', 't.kind', 't.environment', 'w.slug as workspace', 't.name', 't.scopes'])
    .select(['t.created_at', 't.last_used_at', 't.expires_at', 't.revoked_at'])
    .where('t.user_id', '=', user.id)
    .orderBy('t.created_at', 'desc')
    .orderBy('t.id', 'desc')
    .execute();
}

/** Revokes a token of any account and deletes its push registrations. */
export async function revokeToken(ctx: OperationContext, id: string): Promise<void> {
  const { em, db, now } = ctx;
  const token = await lockToken(ctx, id);
  token.revokedAt ??= now;
  token.rightsChangedIn = thisTransaction();
  await em.flush();
  await db.deleteFrom('devices').where('token_id', '=', id).execute();
  await recordAudit(ctx, token.workspaceId, { action: 'token.revoked', target: { type: 'token', id } });
}

/** Locks and returns a token of any account. Throws `resource_not_found`. */
export function lockToken({ em }: OperationContext, id: string): Promise<Token> {
  return em.findOneOrFail(Token, id, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    failHandler: () => new ApiError('resource_not_found', { message: `There is no token ${id}.` }),
  });
}
