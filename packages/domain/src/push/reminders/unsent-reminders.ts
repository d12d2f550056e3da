import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { retentionOfFirmTable } from '../../platform/database/retention.ts';
import { DAY_MS } from '../../platform/process/clock.ts';

/** The reason why a due reminder is not sent. */
export type UnsentReason = 'unknown_channel' | 'too_late' | 'invalid_event';

export interface UnsentReminder {
  event_id: number;
  user_id: string;
  minutes_before: number;
  channel: string;
  starts_at: string;
  reason: UnsentReason;
}

/** Stores due reminders that are not sent, with the reason. */
export async function recordUnsent(
  { db, now }: OperationContext,
  workspaceId: number,
  unsent: readonly UnsentReminder[],
): Promise<void> {
  if (unsent.length === 0) return;
  await sql`
    insert into unsent_reminders (workspace_id, event_id, user_id, minutes_before, channel, starts_at, reason, created_at)
    select ${workspaceId}::integer, event_id, user_id, minutes_before, channel, starts_at, reason, ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(unsent)}::jsonb) as u (
      event_id bigint, user_id text, minutes_before integer, channel text, starts_at timestamptz, reason text)`.execute(
    db,
  );
}

export const unsentReminderRetention = retentionOfFirmTable({
  kind: 'unsent_reminders',
  keptMs: 30 * DAY_MS,
  since: 'since it was due',
  table: 'unsent_reminders',
  at: 'created_at',
});
