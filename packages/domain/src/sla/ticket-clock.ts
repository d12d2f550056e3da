import type { SlaPolicySettings, TicketPriority, TicketStatus } from '@firmdesk/contract';
import { MINUTE_MS } from '../platform/process/clock.ts';
import { businessTimeAfter, businessTimeBetween } from './business-hours.ts';

/** The SLA policy of a firm, as `workspaces.sla_policy` stores them. */
export type StoredSlaPolicy = SlaPolicySettings;

/**
 * The clock of a ticket: how long it has awaited the team, in business hours. It runs while the status is `awaiting_admin`
 * (docs/decisions/0049). Both targets of the ticket are measured by it.
 */
export interface TicketClock {
  /** Since when the clock runs; null while it stands still. */
  waiting_since: string | null;
  /** The business time until the clock last stopped. */
  waited_seconds: number;
  /** When the team first replied to the trader. */
  first_responded_at: string | null;
  /** The business time that the ticket had awaited the team by then; null if that is not known. */
  first_response_seconds: number | null;
  /** The team was warned of the target. It is not warned again, also if the due time moves. */
  first_response_warned: boolean;
  resolution_warned: boolean;
}

/** What follows from a ticket's clock. Null: the target does not exist, is met, or its clock stands still. */
export interface DueTimes {
  first_response_due_at: string | null;
  resolution_due_at: string | null;
  /** The earlier of both; {@link NEVER_DUE} without one. */
  next_due_at: string;
  /** When the team is to be warned; null if never. */
  due_warning_at: string | null;
}

/** Sorts after all due times. The default of the column. */
export const NEVER_DUE = '9999-12-31T00:00:00.000Z';

const NOT_DUE: DueTimes = {
  first_response_due_at: null,
  resolution_due_at: null,
  next_due_at: NEVER_DUE,
  due_warning_at: null,
};

/** The columns of a ticket under its lock that lists do not need. */
export const STATE_COLUMNS: readonly (keyof TicketClock | keyof DueTimes)[] = [
  'waiting_since',
  'waited_seconds',
  'first_responded_at',
  'first_response_seconds',
  'first_response_warned',
  'resolution_warned',
  'due_warning_at',
];

/** The others. */
const LISTED_COLUMNS = ['first_response_due_at', 'resolution_due_at', 'next_due_at'] as const;

/** A ticket, as far as its clock depends on it. */
export interface ClockedTicket extends TicketClock, DueTimes {
  status: TicketStatus;
  priority: TicketPriority;
  sla_policy: StoredSlaPolicy | null;
}

/** Returns the business time that a ticket has awaited the team until now. */
export function waitedSeconds(
  now: Date,
  { waiting_since, waited_seconds, sla_policy }: Pick<ClockedTicket, keyof TicketClock | 'sla_policy'>,
): number {
  if (waiting_since === null) return waited_seconds;
  const ms = businessTimeBetween(Date.parse(waiting_since), now.getTime(), sla_policy?.hours ?? null);
  return waited_seconds + Math.floor(ms / 1_000);
}

/** Returns the clock and the due times of a ticket after a change. `before` is the ticket before it. */
export function clockAfter(
  now: Date,
  ticket: ClockedTicket,
  before: { status: TicketStatus; last_message_at: string },
): TicketClock & DueTimes {
  const { first_responded_at, first_response_seconds, first_response_warned, resolution_warned } = ticket;
  const clock = { first_responded_at, first_response_seconds, first_response_warned, resolution_warned };
  if (ticket.status !== 'awaiting_admin')
    return { ...clock, waiting_since: null, waited_seconds: waitedSeconds(now, ticket), ...NOT_DUE };
  // Tickets that are imported, or older than their clock, have waited since the last message.
  const since =
    ticket.waiting_since ?? (before.status === 'awaiting_admin' ? before.last_message_at : now.toISOString());
  const waiting = { ...clock, waiting_since: since, waited_seconds: ticket.waited_seconds };
  return { ...waiting, ...dueTimes(now, { ...ticket, ...waiting }) };
}

/** Returns the clock of a ticket that another was merged into: the team replied first to either, and keeps the longer wait of both. */
export function mergedClock(
  now: Date,
  both: readonly ClockedTicket[],
  isWaiting: boolean,
): Omit<TicketClock, 'first_response_warned' | 'resolution_warned'> {
  const [first] = both
    .filter(({ first_responded_at }) => first_responded_at !== null)
    .sort((a, b) => (a.first_responded_at! < b.first_responded_at! ? -1 : 1));
  return {
    waiting_since: isWaiting ? now.toISOString() : null,
    waited_seconds: Math.max(...both.map((ticket) => waitedSeconds(now, ticket))),
    first_responded_at: first?.first_responded_at ?? null,
    first_response_seconds: first?.first_response_seconds ?? null,
  };
}

export const slaTargets = ['first_response', 'resolution'] as const;
export type TargetName = (typeof slaTargets)[number];

/** A target of a ticket whose clock runs. */
interface DueTarget {
  name: TargetName;
  due: number;
  /** When the team is to be warned; null if not, or not again. */
  warnAt: number | null;
}

/** Returns the targets of a ticket that are neither met nor stand still. */
function dueTargets(ticket: ClockedTicket): DueTarget[] {
  const { sla_policy: settings, priority, waiting_since, waited_seconds } = ticket;
  if (settings === null || waiting_since === null) return [];
  const { targets, hours, warn_minutes } = settings;
  return slaTargets.flatMap((name) => {
    const minutes = targets[priority][`${name}_minutes`];
    if (minutes === null || (name === 'first_response' && ticket.first_responded_at !== null)) return [];
    const left = minutes * MINUTE_MS - waited_seconds * 1_000;
    const due = businessTimeAfter(Date.parse(waiting_since), left, hours);
    // A short target is not announced as soon as the ticket is opened.
    const warnAt =
      warn_minutes === null || ticket[`${name}_warned`]
        ? null
        : due - Math.min(warn_minutes, minutes / 2) * MINUTE_MS;
    return [{ name, due, warnAt }];
  });
}

/**
 * Returns the targets that the team is to be warned of now. A target that was missed already when it was set is not among those that
 * `due_warning_at` was computed of. It is the earlier one, so its warning is before that time; or it was used up while the clock stood still.
 */
export function targetsToWarnOf(now: Date, ticket: ClockedTicket): DueTarget[] {
  const { due_warning_at, waiting_since } = ticket;
  if (due_warning_at === null || waiting_since === null) return [];
  const [from, since] = [Date.parse(due_warning_at), Date.parse(waiting_since)];
  return dueTargets(ticket).filter(
    ({ due, warnAt }) => due > since && warnAt !== null && warnAt >= from && warnAt <= now.getTime(),
  );
}

function dueTimes(now: Date, ticket: ClockedTicket & { waiting_since: string }): DueTimes {
  const targets = dueTargets(ticket);
  // The clock may have been started by a process whose own clock was ahead.
  const setAt = Math.max(now.getTime(), Date.parse(ticket.waiting_since));
  const dueAt = (wanted: TargetName) => iso(targets.find(({ name }) => name === wanted)?.due ?? null);
  // A target that was missed already when it was set, such as that of an old ticket, is only shown.
  const warned = targets.filter(({ due }) => due > setAt);
  return {
    first_response_due_at: dueAt('first_response'),
    resolution_due_at: dueAt('resolution'),
    next_due_at: iso(earliest(targets.map(({ due }) => due))) ?? NEVER_DUE,
    due_warning_at: iso(earliest(warned.map(({ warnAt }) => warnAt).filter((at) => at !== null))),
  };
}

function earliest(times: readonly number[]): number | null {
  return times.length === 0 ? null : Math.min(...times);
}

function iso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** Returns whether two states of a ticket have the same clock and due times. */
export function isSameClock(a: TicketClock & DueTimes, b: TicketClock & DueTimes): boolean {
  return [...STATE_COLUMNS, ...LISTED_COLUMNS].every((column) => a[column] === b[column]);
}
