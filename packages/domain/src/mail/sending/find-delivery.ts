import type { DeliveryState, SentDelivery } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { ReaderContext } from '../mailboxes/mailbox-access.ts';

interface DeliveryRow {
  send_at: string;
  started_at: string | null;
  recipients: SentDelivery['recipients'];
}

/** Returns what became of a message that was sent here; null for others. The caller may read the message. */
export async function findDelivery(
  { db, workspace }: ReaderContext,
  messageId: string,
): Promise<SentDelivery | null> {
  const { rows } = await sql<DeliveryRow>`
    select o.send_at, o.started_at, (
      select jsonb_agg(jsonb_build_object('email', r.email, 'state', r.state, 'detail', r.detail) order by r.position)
      from outgoing_recipients r where r.workspace_id = ${workspace.id} and r.message_id = ${messageId}) as recipients
    from outgoing_messages o where o.workspace_id = ${workspace.id} and o.id = ${messageId}`.execute(db);
  const [found] = rows;
  if (!found) return null;
  const { send_at, started_at, recipients } = found;
  return {
    state: overallState(recipients.map(({ state }) => state)),
    send_at: started_at === null ? new Date(send_at).toISOString() : null,
    recipients,
  };
}

/** Returns the state of a message, given those of its recipients. */
export function overallState(states: readonly DeliveryState[]): DeliveryState {
  const worst = (['queued', 'failed', 'not_sent', 'sent'] as const).find((state) => states.includes(state));
  return worst ?? 'delivered_locally';
}
