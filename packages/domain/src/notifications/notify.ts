import { type NotificationsRaised, type NotifyInput, PLATFORM } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { Identity } from '../access/identity.ts';
import { getWorkspace } from '../access/workspaces.ts';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError, invalidField } from '../platform/errors.ts';
import { raiseNotification } from './raise-notification.ts';

/**
 * Raises a notification as the platform's other parts and the operator name things: the workspace by slug, people by email.
 * Raises `resource_not_found` for an unknown workspace, `validation_failed` for somebody who has nothing to do with it.
 */
export async function notify(ctx: OperationContext, input: NotifyInput): Promise<NotificationsRaised> {
  const { id, slug } = await getWorkspace(ctx, input.workspace);
  const workspace = { id, slug };
  const to: string[] = [];
  for (const [i, email] of (input.to ?? []).entries()) {
    to.push(await personOf(ctx, workspace, email, `to[${i}]`));
  }
  const notifications = await raiseNotification(ctx, {
    workspace,
    kind: input.kind,
    title: input.title,
    body: input.body ?? null,
    actionUrl: input.action_url,
    actorId: input.actor === undefined ? null : await personOf(ctx, workspace, input.actor, 'actor'),
    to: input.to && to,
  });
  return { object: 'notice_raised', notifications };
}

/** A platform token raises notifications anywhere, any other only where it was issued for. */
export function ensureMayNotify({ home }: Identity, slug: string): void {
  if (home.slug !== PLATFORM && home.slug !== slug) throw new ApiError('workspace_not_permitted');
}

/** The id of an account that belongs to the workspace; the staff belong to all. Elsewhere is like nowhere. */
async function personOf(
  { em }: OperationContext,
  workspace: { id: number; slug: string },
  email: string,
  path: string,
): Promise<string> {
  const person = await sqlOf(em)
    .selectFrom('users as u')
    .select('u.id')
    .where(sql`lower(u.email)`, '=', sql`lower(${email})`)
    .where('u.deleted_at', 'is', null)
    .where(({ or, exists, eb, selectFrom }) =>
      or([
        eb('u.is_staff', '=', true),
        exists(
          selectFrom('memberships as m')
            .whereRef('m.user_id', '=', 'u.id')
            .where('m.workspace_id', '=', workspace.id),
        ),
      ]),
    )
    .executeTakeFirst();
  if (!person) throw invalidField(path, `is nobody of ${workspace.slug}`);
  return person.id;
}
