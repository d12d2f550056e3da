import type { ruleEffects, TicketPriority, TicketStatus } from '@firmdesk/contract';
import type { RawBuilder } from 'kysely';
import { auditWrite, type NewAuditEvent, recordAudits } from '../../access/audit/audit.ts';
import type { Actor, Cause, OperationContext } from '../../platform/database/context.ts';

/** The properties of a ticket whose changes are recorded, by their names in the audit trail. People, teams and tags are ids. */
export interface TrackedProperties {
  status: TicketStatus;
  priority: TicketPriority;
  assignee_id: string | null;
  team_id: number | null;
  ai_enabled: boolean;
  ai_blocked: boolean;
  tags: readonly number[];
  /** The ticket into which this one was merged. */
  merged_into: string;
  /** A ticket that was merged into this one. */
  merged_from: string;
  /** What a rule did beside changes of properties. */
  rule_effect: (typeof ruleEffects)[number];
}

const TRACKED = [
  'status',
  'priority',
  'assignee_id',
  'team_id',
  'ai_enabled',
  'ai_blocked',
  'tags',
  'merged_into',
  'merged_from',
  'rule_effect',
] as const satisfies (keyof TrackedProperties)[];

/** What an entry of the history says beside the changed properties: the id of a rule, or the mode of an assignment. */
export interface RecordedReason {
  rule?: string;
  assignment?: string;
}

/** A ticket before and after a change. Other properties than the tracked ones are ignored, and so are those that are not in `after`. */
export interface RecordedChange {
  ticket: string;
  before: Partial<TrackedProperties>;
  after: Partial<TrackedProperties>;
  /** By default the time of the operation. */
  at?: Date | undefined;
  /** Whether a message caused the change, such as a reply that lets the ticket wait for its trader. */
  isCausedByMessage?: boolean;
}

/**
 * Records changes of tickets in their history, in the caller's transaction. Properties that did not change are left out, and so are
 * tickets without a change. Several tickets take one statement for each thousand. `by` is the account that made the change; null
 * for the context's actor, which is an operator or, by default, the system.
 */
export async function recordTicketChanges(
  ctx: OperationContext,
  workspaceId: number,
  by: string | null,
  changes: readonly RecordedChange[],
): Promise<void> {
  const events = changes.flatMap((change) => eventOf(ctx, change));
  await recordAudits({ ...ctx, actor: actorOf(ctx, by) }, workspaceId, events);
}

/** Returns the write of {@link recordTicketChanges} for one ticket, for `executeWrites`; none if nothing has changed. */
export function ticketChangeWrites(
  ctx: OperationContext,
  workspaceId: number,
  by: string | null,
  change: RecordedChange,
): RawBuilder<unknown>[] {
  const events = eventOf(ctx, change);
  return events.length > 0 ? [auditWrite({ ...ctx, actor: actorOf(ctx, by) }, workspaceId, events)] : [];
}

function actorOf(ctx: OperationContext, by: string | null): Actor | undefined {
  return by === null ? ctx.actor : { kind: 'account', id: by };
}

function eventOf(
  { cause }: OperationContext,
  { ticket, before, after, at, isCausedByMessage }: RecordedChange,
): NewAuditEvent[] {
  const changed = TRACKED.filter((name) => after[name] !== undefined && !isSame(before[name], after[name]));
  if (changed.length === 0) return [];
  const pick = (values: Partial<TrackedProperties>) =>
    Object.fromEntries(changed.map((name) => [name, values[name] ?? null]));
  return [
    {
      action: isCausedByMessage ? 'ticket.changed_by_message' : 'ticket.changed',
      target: { type: 'ticket', id: ticket },
      before: pick(before),
      after: { ...pick(after), ...reasonOf(cause) },
      at,
    },
  ];
}

/** Returns what an entry says about its cause. */
function reasonOf(cause: Cause | undefined): RecordedReason {
  if (cause === undefined) return {};
  return cause.kind === 'rule' ? { rule: cause.id } : { assignment: cause.mode };
}

function isSame(before: unknown, after: unknown): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return before === after;
  const kept = new Set(before);
  return before.length === after.length && after.every((id) => kept.has(id));
}
