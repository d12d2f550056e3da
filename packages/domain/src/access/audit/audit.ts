import { DEFAULT_AUDIT_DAYS, PLATFORM } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Actor, OperationContext } from '../../platform/database/context.ts';
import { type Retention, retentionOfFirmTable } from '../../platform/database/retention.ts';
import { allFirms } from '../../platform/distribution/all-firms.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import type { Services } from '../../platform/services.ts';

export type AuditAction =
  | `user.${'added' | 'dismissed' | 'readmitted' | 'permissions_changed' | 'deactivated' | 'reactivated' | 'password_set' | 'exported' | 'export_downloaded' | 'erasure_requested' | 'erased' | 'signed_in' | 'sign_in_failed' | 'password_changed' | 'password_change_failed' | 'password_reset_requested' | 'password_reset' | 'address_proved' | 'code_failed' | 'session_confirmed' | 'second_factor_enabled' | 'second_factor_disabled' | 'recovery_codes_renewed' | 'provider_linked' | 'passkey_added' | 'passkey_removed'}`
  | `invite.${'created' | 'sent_again' | 'revoked' | 'accepted'}`
  | `team.${'created' | 'changed' | 'deleted'}`
  | `tag.${'created' | 'changed' | 'merged' | 'deleted'}`
  | `token.${'issued' | 'revoked' | 'rotated'}`
  | `firm.${'sign_in_provider_changed' | 'sign_in_provider_removed' | 'sign_in_requirement_changed' | 'sign_in_domain_added' | 'sign_in_domain_verified' | 'sign_in_domain_removed' | 'added' | 'settings_changed' | 'suspended' | 'resumed' | 'entered_by_staff' | 'read_by_staff' | 'exported' | 'export_downloaded' | 'deletion_scheduled' | 'deletion_cancelled' | 'deletion_started' | 'deleted' | 'service_targets_changed' | 'storage_limit_changed' | 'assistant_changed' | 'macros_imported' | 'mail_template_changed' | 'satisfaction_changed' | 'assignment_changed' | 'support_address_added' | 'support_address_removed'}`
  | `mailbox.${'created' | 'changed' | 'alias_added' | 'alias_removed'}`
  | `calendar.${'created' | 'changed' | 'shared' | 'unshared' | 'deleted'}`
  | `article.${'created' | 'changed' | 'deleted'}`
  | `webhook.${'created' | 'changed' | 'deleted' | 'rotated' | 'enabled' | 'disabled'}`
  | `macro.${'created' | 'changed' | 'deleted'}`
  | `rule.${'created' | 'changed' | 'deleted' | 'moved' | 'paused'}`
  | TicketAction;

/** A change that a call asked for, or one that a message of the ticket caused. */
export type TicketAction = 'ticket.changed' | 'ticket.changed_by_message';

/** A change to record. `before` and `after` contain neither secrets nor names, addresses or texts, of a caller's address only its network: an erasure does not change them. */
export interface NewAuditEvent {
  action: AuditAction;
  target: {
    type:
      | 'user'
      | 'invite'
      | 'team'
      | 'tag'
      | 'token'
      | 'firm'
      | 'ticket'
      | 'macro'
      | 'mailbox'
      | 'calendar'
      | 'rule'
      | 'webhook'
      | 'article';
    id: string;
  };
  before?: Readonly<Record<string, unknown>>;
  after?: Readonly<Record<string, unknown>>;
  /** By default the time of the operation. */
  at?: Date | undefined;
}

/** The events of one statement: PostgreSQL takes 65,535 values. */
const MAX_EVENTS = 1_000;

const SYSTEM: Actor = { kind: 'system', id: null };

/** Records a change in the audit trail of the firm that it concerns, in the caller's transaction. */
export async function recordAudit(
  ctx: OperationContext,
  workspaceId: number,
  event: NewAuditEvent,
): Promise<void> {
  await auditWrite(ctx, workspaceId, [event]).execute(ctx.db);
}

/** {@link recordAudit} for several changes: one statement for each thousand. */
export async function recordAudits(
  ctx: OperationContext,
  workspaceId: number,
  events: readonly NewAuditEvent[],
): Promise<void> {
  for (let from = 0; from < events.length; from += MAX_EVENTS) {
    const some = events.slice(from, from + MAX_EVENTS);
    await auditWrite(ctx, workspaceId, some).execute(ctx.db);
  }
}

/** Returns the write of {@link recordAudits}, for `executeWrites`: of one to a thousand events. */
export function auditWrite(
  { now, actor = SYSTEM, network }: OperationContext,
  workspaceId: number,
  events: readonly NewAuditEvent[],
): RawBuilder<unknown> {
  const rows = events.map(
    ({ action, target, before, after, at = now }) => sql`
      (${workspaceId}, ${at.toISOString()}, ${actor.kind}, ${actor.id}, ${network ?? null}, ${action}, ${target.type}, ${target.id},
        ${before ? JSON.stringify(before) : null}::jsonb, ${after ? JSON.stringify(after) : null}::jsonb)`,
  );
  return sql`
    insert into audit_events (workspace_id, created_at, actor_kind, actor, network, action, target_type, target_id, before, after)
    values ${sql.join(rows)}`;
}

/** {@link recordAudit} for a change of a whole account or of the installation: it belongs to the workspace `platform`. */
export async function recordPlatformAudit(ctx: OperationContext, event: NewAuditEvent): Promise<void> {
  const { id } = await ctx.db
    .selectFrom('workspaces')
    .select('id')
    .where('slug', '=', PLATFORM)
    .executeTakeFirstOrThrow();
  await recordAudit(ctx, id, event);
}

/** The rows of one run, for each firm that has set how long it keeps its trail. */
const PRUNED_BY_SETTING = 10_000;

const KEEPS_DEFAULT = 'workspace_id not in (select id from workspaces where audit_days is not null)';

/** The default. Firms that have set how long they keep their trail are pruned by {@link pruneBySetting}. */
export const auditRetention: Retention = {
  ...retentionOfFirmTable({
    kind: 'audit_events',
    keptMs: DEFAULT_AUDIT_DAYS * DAY_MS,
    since: 'since it happened',
    table: 'audit_events',
    at: 'created_at',
    where: KEEPS_DEFAULT,
  }),
  prune: pruneDefault,
  mark: pruneBySetting,
};

/** The account of the service may not delete from the trail itself (migration 0041). */
async function expire({ pool }: Services, firm: number, before: Date, most: number): Promise<number> {
  const { rows } = await pool.query<{ deleted: number }>(
    'select expire_audit_events($1, $2, $3) as deleted',
    [firm, before.toISOString(), most],
  );
  return rows[0]!.deleted;
}

/** Deletes the trail of a firm whose deletion has begun, at most so many rows. Returns how many. */
export async function deleteAuditTrail(
  { db }: OperationContext,
  firm: number,
  most: number,
): Promise<number> {
  const { rows } = await sql<{
    deleted: number;
  }>`select delete_audit_events(${firm}, ${most}) as deleted`.execute(db);
  return rows[0]!.deleted;
}

async function pruneDefault(services: Services, before: Date, limit: number): Promise<number> {
  const due = await services.firmServers.readAll<{ workspace_id: number }>({
    text: (isAmong) => `${allFirms('retention')}
      select workspace_id from audit_events where created_at < $1 and ${KEEPS_DEFAULT} and ${isAmong('workspace_id')}
      order by created_at limit $2`,
    values: [before.toISOString(), limit],
  });
  let deleted = 0;
  for (const [firm, rows] of Map.groupBy(due, ({ workspace_id }) => workspace_id))
    deleted += await expire(services, firm, before, rows.length);
  return deleted;
}

async function pruneBySetting(services: Services): Promise<void> {
  const { pool, clock } = services;
  const { rows } = await pool.query<{ id: number; audit_days: number }>(
    `select w.id, f.audit_days from workspaces f join workspaces w on f.id in (w.id, w.sandbox_of) where f.audit_days is not null`,
  );
  for (const { id, audit_days } of rows)
    await expire(services, id, new Date(clock.now().getTime() - audit_days * DAY_MS), PRUNED_BY_SETTING);
}
