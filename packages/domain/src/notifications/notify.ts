import type { NotificationsRaised, NotifyInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import { ensureTwin } from '../access/ensure-twin.ts';
import { firmIdOf, IS_STAFF, isStaffToken } from '../access/policy.ts';
import { isNamedBy, slugIn } from '../access/twin.ts';
import { getFirm, getWorkspace } from '../access/workspaces.ts';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError, invalidField } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { raiseNotification } from './raise-notification.ts';

/**
 * Raises a notification on behalf of the platform's services or the operator, which name the workspace by slug and accounts by
 * email. Throws `resource_not_found` for an unknown workspace, `validation_failed` for accounts that do not belong to it.
 */
export async function notify(ctx: OperationContext, input: NotifyInput): Promise<NotificationsRaised> {
  const { id, slug } = await getWorkspace(ctx, input.workspace);
  const workspace = { id, slug };
  const to = input.to ?? [];
  const ids = await findAccountIds(ctx, workspace, input.actor === undefined ? to : [...to, input.actor]);
  const unknown = ids.indexOf(null);
  if (unknown >= 0) {
    const path = unknown < to.length ? `to[${unknown}]` : 'actor';
    throw invalidField(path, `must be the email of an account in ${slug}`);
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
 * {@link notify} for a caller: in the firm that it names, or with a test token in the firm's test twin. Throws
 * `workspace_not_permitted` unless the token is of `platform` or of that firm.
 */
export async function notifyForCaller(ctx: AccountContext, input: NotifyInput): Promise<NotificationsRaised> {
  const { identity, em, now } = ctx;
  if (!isStaffToken(identity) && !isNamedBy(identity.home, input.workspace))
    throw new ApiError('workspace_not_permitted');
  if (identity.environment === 'test')
    await ensureTwin(sqlOf(em), (await getFirm(ctx, input.workspace)).id, now);
  return notify(ctx, { ...input, workspace: slugIn(identity.environment, input.workspace) });
}

/** Returns for each email the id of a member of the workspace or of staff; null for other accounts, as for unknown ones. */
async function findAccountIds(
  { em }: OperationContext,
  workspace: { id: number },
  emails: readonly string[],
): Promise<(string | null)[]> {
  if (emails.length === 0) return [];
  const { rows } = await sql<{ id: string | null }>`
    select u.id from unnest(${emails}::text[]) with ordinality as named (email, place)
    left join users u on lower(u.email) = lower(named.email) and u.deleted_at is null and (
      ${sql.raw(IS_STAFF)}
      or exists (select from memberships m where m.user_id = u.id and m.workspace_id = ${firmIdOf(workspace.id)}))
    order by named.place`.execute(sqlOf(em));
  return rows.map(({ id }) => id);
}
