import { type Permission, permissions, type WebhookEventType, webhookEventTypes } from '@firmdesk/contract';
import { sql } from 'kysely';
import { firmIdOf, isStaffToken, PERMISSIONS } from '../../access/policy.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/** The permission to see what events of a group are about. */
const NEEDED: Record<string, Permission> = {
  ticket: 'view_tickets',
  message: 'view_tickets',
  pre_registration: 'view_affiliates',
  mail: 'view_mail_health',
};

export function permissionFor(type: WebhookEventType): Permission {
  return NEEDED[type.split('.')[0]!]!;
}

/** Returns the events that the caller may have sent, and whose deliveries the caller may see: an endpoint gives nobody more than the console does. */
export async function visibleEvents({
  db,
  identity,
  workspace,
}: AccountContext): Promise<readonly WebhookEventType[]> {
  const held = isStaffToken(identity)
    ? permissions
    : (
        await sql<{ held: Permission[] }>`
          select ${sql.raw(PERMISSIONS)} as held from memberships m join users u on u.id = m.user_id
          where m.workspace_id = ${firmIdOf(workspace.id)} and m.user_id = ${identity.user.id}`.execute(db)
      ).rows.flatMap((row) => row.held);
  return webhookEventTypes.filter((type) => held.includes(permissionFor(type)));
}
