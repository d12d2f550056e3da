import type { NotificationsRaised, NotifyInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import { firmIdOf, IS_STAFF, isStaffToken, mayActFor } from '../access/policy.ts';
import { ensureSandboxFor } from '../access/workspaces/ensure-sandbox.ts';
import { slugIn } from '../access/workspaces/sandbox.ts';
import { getWorkspace } from '../access/workspaces/workspaces.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { ApiError, invalidField } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { raiseNotification } from './raise-notification.ts';

/** The workspace of a notification. */
interface Target {
  id: number;
  slug: string;
}

/**
 * Raises a notification on behalf of an operator, who names the workspace by slug and accounts by email. Throws `resource_not_found`
 * for an unknown workspace, `validation_failed` for accounts that do not belong to it.
 */
export async function notify(ctx: OperationContext, input: NotifyInput): Promise<NotificationsRaised> {
  const { id, slug } = await getWorkspace(ctx, input.workspace);
  return raise(ctx, { id, slug }, input, { knowsStaff: true });
}

/**
 * {@link notify} for a caller: in the workspace that it names, or with a test token in the sandbox of that, if its token may act for it;
 * also while the firm is suspended. Throws `workspace_not_permitted` for others, as for unknown ones.
 */
export async function notifyForCaller(ctx: AccountContext, input: NotifyInput): Promise<NotificationsRaised> {
  const { identity } = ctx;
  if (identity.environment === 'test') await ensureSandboxFor(ctx, identity.tokenId, input.workspace);
  const target = await ctx.db
    .selectFrom('workspaces as f')
    .select(['f.id', 'f.slug'])
    .where('f.slug', '=', slugIn(identity.environment, input.workspace))
    .where(mayActFor(identity))
    .executeTakeFirst();
  if (!target) throw new ApiError('workspace_not_permitted');
  return raise(ctx, target, input, { knowsStaff: isStaffToken(identity) });
}

async function raise(
  ctx: OperationContext,
  workspace: Target,
  input: NotifyInput,
  about: { knowsStaff: boolean },
): Promise<NotificationsRaised> {
  const to = input.to ?? [];
  const named = input.actor === undefined ? to : [...to, input.actor];
  const ids = await findAccountIds(ctx, workspace, named, about);
  const unknown = ids.indexOf(null);
  if (unknown >= 0) {
    const path = unknown < to.length ? `to[${unknown}]` : 'actor';
    throw invalidField(path, `must be the email of an account in ${workspace.slug}`);
  }
  const notifications = await raiseNotification(ctx, {
    workspace,
    kind: input.kind,
    title: input.title,
    body: input.body ?? null,
    actionUrl: input.action_url,
    actorId: ids[to.length] ?? null,
    to: input.to && (ids.slice(0, to.length) as string[]),
  });
  return { object: 'notice_raised', notifications };
}

/**
 * Returns for each email the id of a member of the workspace, or of staff if the caller may know them; null for other accounts, as for
 * unknown ones.
 */
async function findAccountIds(
  { db }: OperationContext,
  workspace: Target,
  emails: readonly string[],
  { knowsStaff }: { knowsStaff: boolean },
): Promise<(string | null)[]> {
  if (emails.length === 0) return [];
  const { rows } = await sql<{ id: string | null }>`
    select u.id from unnest(${emails}::text[]) with ordinality as named (email, place)
    left join users u on lower(u.email) = lower(named.email) and u.deleted_at is null and (
      (${knowsStaff}::boolean and ${sql.raw(IS_STAFF)})
      or exists (select from memberships m where m.user_id = u.id and m.workspace_id = ${firmIdOf(workspace.id)}))
    order by named.place`.execute(db);
  return rows.map(({ id }) => id);
}
