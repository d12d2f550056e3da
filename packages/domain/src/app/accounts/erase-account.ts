import { sql } from 'kysely';
import type { Pool } from 'pg';
import { deactivateAccount } from '../../access/accounts/deactivate-account.ts';
import { ERASED, eraseIdentity } from '../../access/accounts/erase-identity.ts';
import { lockAccount } from '../../access/accounts/lock-account.ts';
import { getUser } from '../../access/accounts/users.ts';
import { recordPlatformAudit } from '../../access/audit/audit.ts';
import type { Actor, OperationContext } from '../../platform/database/context.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { pruneLog } from '../../platform/events/event-retention.ts';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import { newId } from '../../platform/process/ids.ts';
import type { Services } from '../../platform/services.ts';
import { refreshTraderSearchText } from '../../tickets/search/refresh-search-text.ts';
import { deletePersonExports } from '../data/data-files.ts';
import {
  authorSteps,
  conditionOf,
  type ErasureStep,
  erasureSteps,
  type Subject,
  valuesOf,
  webhookSteps,
} from './erasure-steps.ts';
import { type AccountFirm, findAccountFirms } from './find-account-firms.ts';
import {
  createStandIn,
  type FirmScope,
  findScope,
  leave,
  recordErasure,
  signOutOf,
  standInSteps,
} from './firm-scope.ts';

/** The rows of a statement, so that it takes well below a second. */
const BATCH = 1_000;
/** The rows that a statement reads where no index finds those to change. */
const RANGE = 20_000;

export interface EraseAccountOptions {
  actor: Actor;
  /** The slug of the firm that asks for it. An account that is also used elsewhere stays there, and this firm alone forgets it. */
  firm?: string | undefined;
  /** Called after each batch, with the rows of the table changed or deleted so far. */
  onProgress?: (table: string, rows: number) => void;
}

/**
 * Erases an account: signs it out everywhere, deletes what is only about the person, and replaces the name and the addresses where rows
 * must stay. Each batch commits separately, and the account itself is changed last, but for the events of the firms, which are deleted
 * after a day anyway: an interrupted erasure is continued by calling it again. Returns the number of rows by table, which does not tell whether the
 * account is used in other firms.
 */
export async function eraseAccount(
  services: Services,
  reference: string,
  { actor, firm, onProgress = () => {} }: EraseAccountOptions,
): Promise<Record<string, number>> {
  const began = beforeCallsOf(services.clock.now());
  const { scope, ...subject } = await begin(services, reference, actor, firm);
  const counts: Record<string, number> = {};
  const count = (table: string, rows: number) => {
    if (rows === 0) return;
    counts[table] = (counts[table] ?? 0) + rows;
    onProgress(table, counts[table]);
  };
  for (let rows = BATCH; rows === BATCH; count('tokens', rows))
    rows = await deleteTokens(services, subject, scope);
  const firms = scope?.firms ?? (await findAccountFirms(services, subject.userId));
  for (const firm of firms) {
    await awaitSending(services, firm, subject);
    await deletePersonExports(services, firm.id, subject.userId);
    for (const step of erasureSteps)
      await runStep(services, step, firm, subject, (rows) => count(step.table, rows));
  }
  if (!scope) await withTransaction(services, (ctx) => finish({ ...ctx, actor }, subject, firms, firm));
  count('users', 1);
  await eraseLateWrites(services, subject, firms, began, count);
  if (scope) {
    const standIn = await withTransaction(services, createStandIn);
    for (const firm of firms)
      for (const step of standInSteps(standIn)) await runStep(services, step, firm, subject);
    await leave(services, actor, subject, scope, standIn);
  }
  await pruneEvents(services, firms, count);
  return counts;
}

/** Does what may remain of an erasure that was interrupted after it had changed the account, whose address is not known any more. */
export async function continueErasure(services: Services, userId: string, since: Date): Promise<void> {
  const firms = await findAccountFirms(services, userId);
  await eraseLateWrites(services, { userId, email: userId }, firms, beforeCallsOf(since));
  await pruneEvents(services, firms);
}

/** Returns an id before those of messages that calls write which are in progress at a time. */
function beforeCallsOf(time: Date): string {
  return newId('ticketMessage', new Date(time.getTime() - 60 * MINUTE_MS));
}

type Count = (table: string, rows: number) => void;

/** Calls of the account that were in progress when it was deactivated may have stored its name since. */
async function eraseLateWrites(
  services: Services,
  subject: Subject,
  firms: readonly AccountFirm[],
  began: string,
  count: Count = () => {},
): Promise<void> {
  for (const firm of firms) {
    const run = (step: ErasureStep, after: string | null) =>
      runStep(services, step, firm, subject, (rows) => count(step.table, rows), after);
    for (const step of authorSteps) await run(step, began);
    for (const step of webhookSteps) await run(step, null);
    await deletePersonExports(services, firm.id, subject.userId);
  }
}

/** Events show messages and tickets as they were. Clients that resume from before read everything anew. */
async function pruneEvents(
  { pool }: Services,
  firms: readonly AccountFirm[],
  count: Count = () => {},
): Promise<void> {
  for (const { id } of firms) count('event_log', await pruneLog(pool, id));
}

/** Signs the account out: of the firm that forgets it, or everywhere. */
async function begin(
  services: Services,
  reference: string,
  actor: Actor,
  firm: string | undefined,
): Promise<Subject & { scope: FirmScope | null }> {
  const { id } = await withTransaction(services, (ctx) => getUser(ctx, reference));
  const elsewhere = firm === undefined ? [] : await findAccountFirms(services, id);
  return withTransaction(services, async (ctx) => {
    const { email } = await getUser(ctx, id);
    await lockAccount(ctx, id, 'exclusive');
    const scope =
      firm === undefined
        ? null
        : await findScope(
            ctx,
            id,
            firm,
            elsewhere.map(({ id }) => id),
          );
    if (scope) await signOutOf({ ...ctx, actor }, id, scope);
    else await deactivateAccount({ ...ctx, actor }, id);
    return { userId: id, email, scope };
  });
}

/** Returns how many rows {@link eraseAccount} would change or delete, by table. */
export async function countErasure(services: Services, reference: string): Promise<Record<string, number>> {
  const { id: userId, email } = await withTransaction(services, (ctx) => getUser(ctx, reference));
  const { pool } = services;
  const counts: Record<string, number> = { users: 1 };
  const add = (table: string, rows: number) => {
    if (rows > 0) counts[table] = (counts[table] ?? 0) + rows;
  };
  const tokens = await pool.query<{ rows: number }>(
    'select count(*)::int as rows from tokens where user_id = $1',
    [userId],
  );
  add('tokens', tokens.rows[0]!.rows);
  for (const firm of await findAccountFirms(services, userId))
    for (const step of erasureSteps) {
      const found = await pool.query<{ rows: number }>(
        `select count(*)::int as rows from ${step.table} where ${conditionOf(step)}`,
        valuesOf(firm.id, { userId, email }),
      );
      add(step.table, found.rows[0]!.rows);
    }
  return counts;
}

/** Deletes tokens, with their push registrations and pushes. */
async function deleteTokens(
  { pool }: Services,
  { userId }: Subject,
  scope: FirmScope | null,
): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from tokens where id = any(array(
       select id from tokens where user_id = $1 and ($3::integer[] is null or workspace_id = any($3)) limit $2))`,
    [userId, BATCH, scope?.firms.map(({ id }) => id) ?? null],
  );
  return rowCount ?? 0;
}

/**
 * Waits for jobs that run delayed sends of the account: they have read its name, and hold the locks of the tickets. Later ones read
 * the replaced name.
 */
async function awaitSending(services: Services, firm: AccountFirm, { userId }: Subject): Promise<void> {
  const { rows } = await services.pool.query<{ ticket_id: string }>(
    'select distinct ticket_id from delayed_sends where workspace_id = $1 and author_id = $2',
    [firm.id, userId],
  );
  for (const { ticket_id } of rows)
    await withTransaction(services, async ({ db }) => {
      await sql`
        select from tickets
        where workspace_id = ${firm.id} and id = ${ticket_id} for no key update`.execute(db);
      await sql`
        update delayed_sends set author = ${ERASED.name}
        where workspace_id = ${firm.id} and ticket_id = ${ticket_id} and author_id = ${userId}`.execute(db);
    });
}

/** Runs a step, over the firm's table from an id on if no index finds its rows. */
function runStep(
  services: Services,
  step: ErasureStep,
  firm: AccountFirm,
  subject: Subject,
  count: (rows: number) => void = () => {},
  after: string | null = null,
): Promise<void> {
  return step.isWalked
    ? walk(services, step, firm, subject, count, after)
    : repeat(services, step, firm, subject, count);
}

/** Runs a step in batches until no row meets its condition. */
async function repeat(
  { pool }: Services,
  step: ErasureStep,
  firm: AccountFirm,
  subject: Subject,
  count: (rows: number) => void,
): Promise<void> {
  const { table } = step;
  for (let rows = BATCH; rows === BATCH; count(rows)) {
    const { rowCount } = await pool.query(
      `${changeOf(step)} where workspace_id = $1
         and ctid = any(array(select ctid from ${table} where ${conditionOf(step)} limit ${BATCH}))`,
      valuesOf(firm.id, subject),
    );
    rows = rowCount ?? 0;
  }
}

/** Runs a step over the firm's table in ranges of its ids, after an id or from the first one. */
async function walk(
  { pool }: Services,
  step: ErasureStep,
  firm: AccountFirm,
  subject: Subject,
  count: (rows: number) => void,
  start: unknown,
): Promise<void> {
  const { table } = step;
  let after = start;
  for (;;) {
    const last = await lastOfRange(pool, table, firm.id, after);
    if (last === null) return;
    const { rowCount } = await pool.query(
      `${changeOf(step)} where ${conditionOf(step)} and id <= $4 ${after === null ? '' : 'and id > $5'}`,
      [...valuesOf(firm.id, subject), last, ...(after === null ? [] : [after])],
    );
    count(rowCount ?? 0);
    after = last;
  }
}

function changeOf({ table, set }: ErasureStep): string {
  return set === null ? `delete from ${table}` : `update ${table} set ${set}`;
}

/** Returns the last id of the range after an id; null after the last range. */
async function lastOfRange(pool: Pool, table: string, firm: number, after: unknown): Promise<unknown> {
  const { rows } = await pool.query<{ last: unknown }>(
    `select max(id) as last from (
       select id from ${table} where workspace_id = $1 ${after === null ? '' : 'and id > $2'} order by id limit ${RANGE}) as r`,
    after === null ? [firm] : [firm, after],
  );
  return rows[0]!.last;
}

async function finish(
  ctx: OperationContext,
  { userId }: Subject,
  firms: readonly AccountFirm[],
  asking: string | undefined,
): Promise<void> {
  const db = ctx.db;
  await db.deleteFrom('staff_firms').where('user_id', '=', userId).execute();
  await db.updateTable('memberships').set({ active: false }).where('user_id', '=', userId).execute();
  await eraseIdentity(ctx, [userId]);
  for (const { id } of firms)
    await refreshTraderSearchText({ ...ctx, workspace: { id } }, { trader: userId });
  await recordPlatformAudit(ctx, { action: 'user.erased', target: { type: 'user', id: userId } });
  if (asking !== undefined) await recordErasure(ctx, userId, asking);
}
