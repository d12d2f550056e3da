import type { NotificationsRaised, NotifyInput } from '@firmdesk/contract';
import { type SqlBool, sql } from 'kysely';
import type { Identity } from '../access/identity.ts';
import { IS_STAFF, isStaffToken } from '../access/policy.ts';
import { getWorkspace } from '../access/workspaces.ts';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError, invalidField } from '../platform/errors.ts';
import { raiseNotification } from './raise-notification.ts';

/**
 * Raises a notification on behalf of the platform's services or the operator, which name the workspace by slug and accounts by
 * email. Throws `resource_not_found` for an unknown workspace, `validation_failed` for accounts that do not belong to it.
 */
export async function notify(ctx: OperationContext, input: NotifyInput): Promise<NotificationsRaised> {
  const { id, slug } = await getWorkspace(ctx, input.workspace);
  const workspace = { id, slug };
  const to: string[] = [];
  for (const [i, email] of (input.to ?? []).entries()) {
    to.push(await findAccountId(ctx, workspace, email, `to[${i}]`));
  }
  const notifications = await raiseNotification(ctx, {
    workspace,
    kind: input.kind,
    title: input.title,
    body: input.body ?? null,
    actionUrl: input.action_url,
    actorId: input.actor === undefined ? null : await findAccountId(ctx, workspace, input.actor, 'actor'),
    to: input.to && to,
  });
  return { object: 'notice_raised', notifications };
}

/** Throws `workspace_not_permitted` unless the token is of `platform`, or of the workspace with this slug. */
export function ensureMayNotify(identity: Identity, slug: string): void {
  if (!isStaffToken(identity) && identity.home.slug !== slug) throw new ApiError('workspace_not_permitted');
}

/** Returns the id of a member of the workspace or of staff. Throws the same error for other accounts as for unknown ones. */
async function findAccountId(
  { em }: OperationContext,
  workspace: { id: number; slug: string },
  email: string,
  path: string,
): Promise<string> {
  const account = await sqlOf(em)
    .selectFrom('users as u')
    .select('u.id')
    .where(sql`lower(u.email)`, '=', sql`lower(${email})`)
    .where('u.deleted_at', 'is', null)
    .where(({ or, exists, selectFrom }) =>
      or([
        sql.raw<SqlBool>(IS_STAFF),
        exists(
          selectFrom('memberships as m')
            .whereRef('m.user_id', '=', 'u.id')
            .where('m.workspace_id', '=', workspace.id),
        ),
      ]),
    )
    .executeTakeFirst();
  if (!account) throw invalidField(path, `must be the email of an account in ${workspace.slug}`);
  return account.id;
}
