import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { openTestServices, type TestServices } from '../../testing/services.ts';
import { sqlOf } from '../database.ts';
import { pruneAll } from '../retention.ts';
import { withTransaction } from '../transaction.ts';
import { appendEvents } from './append-events.ts';
import { LOG_START } from './event-id.ts';
import { placeEvents, readLog } from './event-log.ts';
import { eventRetention } from './event-retention.ts';

let base: TestServices;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
});
afterAll(() => base[Symbol.asyncDispose]());

const FIRM = 1;
const NOTHING = { subjects: [], types: [] };

const publish = (ticket: string, text: string, hold?: Promise<unknown>) =>
  withTransaction(base.services, async (ctx) => {
    await appendEvents(ctx, FIRM, [{ subject: ticket, type: 'message.created', body: { text } }]);
    // Sends the statement.
    await sqlOf(ctx.em).executeQuery(CompiledQuery.raw('select 1'));
    await hold;
  });

/** Returns the end of the firm's log, in which all committed events have positions. */
async function endOfLog() {
  const { pool } = base.services;
  while (await placeEvents(pool, FIRM, NOTHING, 1_000));
  return (await readLog(pool, FIRM, LOG_START, NOTHING, 0)).end;
}

interface Viewer {
  seen: { position: number; text: string }[];
  leave(): Promise<void>;
}

function view(ticket: string, after: number, services = base.services): Viewer {
  const leaving = new AbortController();
  const seen: Viewer['seen'] = [];
  const done = (async () => {
    const events = await services.live.follow({
      topic: { workspaceId: FIRM, subject: ticket },
      lastEventId: null,
      findStart: async () => ({ position: after, tag: 0, first: [] }),
      signal: leaving.signal,
    });
    for await (const { position, body } of events) {
      seen.push({ position, text: (body as { text: string }).text });
    }
  })();
  return {
    seen,
    async leave() {
      leaving.abort();
      await done;
    },
  };
}

const textsOf = ({ seen }: Viewer) => seen.map(({ text }) => text);

test('delivers the event of a late commit to subscribers that have read later events', async () => {
  const ticket = 'tkt_gap';
  let release!: () => void;
  const slow = publish(ticket, 'slow', new Promise<void>((resolve) => (release = resolve)));
  const viewer = view(ticket, 0);
  await publish(ticket, 'quick');
  await vi.waitFor(() => expect(textsOf(viewer)).toEqual(['quick']), { timeout: 20_000 });
  release();
  await slow;
  await vi.waitFor(() => expect(textsOf(viewer)).toEqual(['quick', 'slow']), { timeout: 20_000 });
  expect(viewer.seen[1]!.position).toBeGreaterThan(viewer.seen[0]!.position);
  await viewer.leave();
});

test('delivers each event once and in one order to subscribers that leave and resume during many writes', async () => {
  const ticket = 'tkt_storm';
  const WRITERS = 6;
  const EACH = 60;
  const whole = view(ticket, 0);
  const resumed: Viewer['seen'] = [];
  let stop = false;
  const visits = (async () => {
    while (!stop) {
      const visit = view(ticket, resumed.at(-1)?.position ?? 0);
      await sleep(Math.random() * 30);
      await visit.leave();
      resumed.push(...visit.seen);
    }
  })();
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; n < EACH; n++) await publish(ticket, `${writer}:${n}`);
    }),
  );
  await vi.waitFor(() => expect(whole.seen).toHaveLength(WRITERS * EACH), { timeout: 20_000 });
  await vi.waitFor(() => expect(resumed).toHaveLength(WRITERS * EACH), { timeout: 20_000 });
  stop = true;
  await visits;
  await whole.leave();
  expect(resumed).toEqual(whole.seen);
  for (let writer = 0; writer < WRITERS; writer++) {
    const mine = textsOf(whole).filter((text) => text.startsWith(`${writer}:`));
    expect(mine).toEqual(Array.from({ length: EACH }, (_, n) => `${writer}:${n}`));
  }
});

test('bounds the queue of a subscriber that does not read, which continues from the log', async () => {
  const ticket = 'tkt_slow';
  const leaving = new AbortController();
  const events = await base.services.live.follow({
    topic: { workspaceId: FIRM, subject: ticket },
    lastEventId: null,
    findStart: async () => ({ ...LOG_START, first: [] }),
    signal: leaving.signal,
  });
  await publish(ticket, 'first');
  await events.next();
  const COUNT = 2_000;
  await withTransaction(base.services, (ctx) =>
    appendEvents(
      ctx,
      FIRM,
      Array.from({ length: COUNT }, (_, n) => ({
        subject: ticket,
        type: 'message.created',
        body: { text: String(n) },
      })),
    ),
  );
  for (let n = 0; n < COUNT; n++) {
    expect((await events.next()).value).toMatchObject({ body: { text: String(n) } });
  }
  leaving.abort();
  await events.return(undefined);
});

test('loses no event when the listening connection and the pool are cut', async () => {
  const ticket = 'tkt_cut';
  const viewer = view(ticket, 0);
  await publish(ticket, 'before');
  await vi.waitFor(() => expect(textsOf(viewer)).toEqual(['before']), { timeout: 20_000 });
  await base.services.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await vi.waitFor(() => publish(ticket, 'after'), { timeout: 10_000 });
  await vi.waitFor(() => expect(textsOf(viewer)).toEqual(['before', 'after']), { timeout: 10_000 });
  await vi.waitFor(() => expect(base.services.signals.isListening).toBe(true), { timeout: 10_000 });
  await viewer.leave();
});

test('prunes events older than a day, and stores up to which place', async () => {
  await publish('tkt_old', 'old');
  const end = await endOfLog();
  base.clock.advance(25 * 3_600_000);
  await publish('tkt_old', 'new');
  await endOfLog();
  await pruneAll(base.services, [eventRetention]);
  const read = (position = end) => readLog(base.services.pool, FIRM, position, NOTHING, 0);
  expect(await read()).toMatchObject({ end: { position: end.position + 1 }, isKnown: true });
  expect(await read({ ...end, tag: end.tag + 1 })).toMatchObject({ isKnown: false });
  expect(await read({ ...end, position: end.position - 1 })).toMatchObject({ isKnown: false });
  base.clock.advance(25 * 3_600_000);
  await pruneAll(base.services, [eventRetention]);
  expect(await read()).toMatchObject({ end: { position: end.position + 1 }, isKnown: false });
  expect(await read((await read()).end)).toMatchObject({ isKnown: true });
});

test('prunes the events of a firm without viewers, and no longer knows the places before them', async () => {
  await publish('tkt_quiet', 'seen');
  const seen = await endOfLog();
  await publish('tkt_quiet', 'not followed');
  base.clock.advance(25 * 3_600_000);
  await pruneAll(base.services, [eventRetention]);
  const { rows } = await base.services.pool.query('select from event_log');
  expect(rows).toEqual([]);
  const { end, isKnown } = await readLog(base.services.pool, FIRM, seen, NOTHING, 0);
  expect({ end: end.position, isKnown }).toEqual({ end: seen.position + 1, isKnown: false });
});
