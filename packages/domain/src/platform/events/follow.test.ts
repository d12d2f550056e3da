import { setTimeout as sleep } from 'node:timers/promises';
import { openTestServices, type TestServices } from '@firmdesk/testing';
import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { pruneAll } from '../database/retention.ts';
import { withTransaction } from '../database/transaction.ts';
import { appendEvents } from './append-events.ts';
import { readEpoch } from './epoch.ts';
import { LOG_START } from './event-id.ts';
import { placeEvents, readLog } from './event-log.ts';
import { eventRetention } from './event-retention.ts';
import { FirmFeed } from './firm-feed.ts';
import { Live } from './live.ts';
import type { StreamEvent } from './subscriber.ts';

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
    await ctx.db.executeQuery(CompiledQuery.raw('select 1'));
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
    await events.deliverTo(({ position, body }) => {
      seen.push({ position, text: (body as { text: string }).text });
    });
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
  await vi.waitFor(() => expect(textsOf(viewer)).toEqual(['quick']), { timeout: 30_000 });
  release();
  await slow;
  await vi.waitFor(() => expect(textsOf(viewer)).toEqual(['quick', 'slow']), { timeout: 30_000 });
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
  await vi.waitFor(() => expect(whole.seen).toHaveLength(WRITERS * EACH), { timeout: 30_000 });
  await vi.waitFor(() => expect(resumed).toHaveLength(WRITERS * EACH), { timeout: 30_000 });
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
  const followed = await base.services.live.follow({
    topic: { workspaceId: FIRM, subject: ticket },
    lastEventId: null,
    findStart: async () => ({ ...LOG_START, first: [] }),
    signal: leaving.signal,
  });
  const events = followed[Symbol.asyncIterator]();
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

test('ends only the subscription whose viewer throws', async () => {
  const ticket = 'tkt_throws';
  const leaving = new AbortController();
  const events = await base.services.live.follow({
    topic: { workspaceId: FIRM, subject: ticket },
    lastEventId: null,
    findStart: async () => ({ ...LOG_START, first: [] }),
    signal: leaving.signal,
  });
  const texts: string[] = [];
  const failed = events.deliverTo(({ body }) => {
    const { text } = body as { text: string };
    texts.push(text);
    if (text === 'second') throw new Error('cannot be delivered');
  });
  const other = view(ticket, 0);
  await publish(ticket, 'first');
  await vi.waitFor(() => expect(texts).toEqual(['first']), { timeout: 30_000 });
  await Promise.all([expect(failed).rejects.toThrow('cannot be delivered'), publish(ticket, 'second')]);
  await publish(ticket, 'third');
  await vi.waitFor(() => expect(textsOf(other)).toEqual(['first', 'second', 'third']), { timeout: 30_000 });
  expect(texts).toEqual(['first', 'second']);
  leaving.abort();
  await other.leave();
});

test('loses no event when the listening connection and the pool are cut', async () => {
  const ticket = 'tkt_cut';
  const viewer = view(ticket, 0);
  await publish(ticket, 'before');
  await vi.waitFor(() => expect(textsOf(viewer)).toEqual(['before']), { timeout: 30_000 });
  await base.services.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await vi.waitFor(() => publish(ticket, 'after'), { timeout: 30_000 });
  await vi.waitFor(() => expect(textsOf(viewer)).toEqual(['before', 'after']), { timeout: 30_000 });
  await vi.waitFor(() => expect(base.services.signals.isListening).toBe(true), { timeout: 30_000 });
  await viewer.leave();
});

test('gives no positions to the events of firms without viewers', async () => {
  const viewer = view('tkt_followed', 0);
  await withTransaction(base.services, (ctx) =>
    appendEvents(ctx, FIRM + 1, [{ subject: 'tkt_ignored', type: 'message.created', body: {} }]),
  );
  await publish('tkt_followed', 'one');
  await vi.waitFor(() => expect(textsOf(viewer)).toEqual(['one']), { timeout: 30_000 });
  const { rows } = await base.services.pool.query('select position from event_log where workspace_id = $1', [
    FIRM + 1,
  ]);
  expect(rows).toEqual([{ position: null }]);
  await viewer.leave();
});

test('resyncs viewers and resuming clients when the tail of the log was lost and has grown again', async () => {
  const topic = { workspaceId: FIRM + 2, subject: 'tkt_tail' };
  const { services } = base;
  const publishTail = (n: number) =>
    withTransaction(services, (ctx) =>
      appendEvents(ctx, topic.workspaceId, [{ subject: topic.subject, type: 'test', body: { n } }]),
    );
  const leaving = new AbortController();
  const followTail = (lastEventId: string | null) =>
    services.live.follow({
      topic,
      lastEventId,
      findStart: (received) => services.live.resumeOrEnd(topic.workspaceId, received),
      signal: leaving.signal,
    });
  const iterate = async (lastEventId: string | null) =>
    (await followTail(lastEventId))[Symbol.asyncIterator]();
  const next = async (events: Awaited<ReturnType<typeof iterate>>) => (await events.next()).value!;
  const viewer = await iterate(null);
  const delivered: StreamEvent[] = [];
  const delivering = (await followTail(null)).deliverTo((event) => void delivered.push(event));
  for (let n = 0; n < 4; n++) await publishTail(n);
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) ids.push((await next(viewer)).id);
  expect(delivered.map(({ id }) => id)).toEqual(ids);

  // As after the restore of a file system snapshot: the sequence repeats its numbers.
  await services.pool.query(
    `with lost as (delete from event_log where workspace_id = $1 and position > 2 returning id),
     kept as (select position, tag from event_log where workspace_id = $1 and position = 2),
     sequence as (select setval('event_log_ids', (select min(id) from lost), false))
     update event_log_heads h set position = kept.position, tag = kept.tag from kept, sequence
     where h.workspace_id = $1`,
    [topic.workspaceId],
  );
  for (let n = 4; n < 9; n++) await publishTail(n);
  expect(await next(viewer)).toMatchObject({ type: 'resync' });
  await vi.waitFor(() => expect(delivered[4]).toMatchObject({ type: 'resync' }), { timeout: 30_000 });
  await publishTail(9);
  let last = await next(viewer);
  while (last.type === 'test' && (last.body as { n: number }).n < 9) last = await next(viewer);
  expect(last).toMatchObject({ body: { n: 9 }, position: 8 });
  await vi.waitFor(() => expect(delivered.at(-1)).toEqual(last), { timeout: 30_000 });

  const [, kept, , lost] = ids;
  expect(await next(await iterate(lost!))).toMatchObject({ type: 'resync' });
  expect(await next(await iterate(kept!))).toMatchObject({ body: { n: 4 }, position: 3 });
  leaving.abort();
  await delivering;
});

test('queues an event only for the subscribers that it is for', async () => {
  const { pool } = base.services;
  const feed = new FirmFeed(FIRM, { pool, idOf: () => '', onLost: () => {} });
  const topic = { workspaceId: FIRM, subject: 'tkt_shared' };
  const forText = (wanted: string) =>
    feed.add(topic, ({ body }) => (body as { text: string }).text === wanted);
  const [one, two] = [forText('one'), forText('two')];
  await feed.read();
  await publish('tkt_shared', 'one');
  await feed.read();
  expect(one.take()).toMatchObject([{ body: { text: 'one' } }]);
  expect(two.take()).toEqual([]);
});

test('reads nothing of the log for a subscription from now on', async () => {
  // Each connection lists the statements that it has prepared.
  await using own = await openTestServices(inject('postgresUrl'), { poolSizes: { main: 1 } });
  const { services } = own;
  const leaving = new AbortController();
  const events = await services.live.follow({
    topic: { workspaceId: FIRM, subject: 'tkt_now' },
    lastEventId: null,
    findStart: (received) => services.live.resumeOrEnd(FIRM, received),
    signal: leaving.signal,
  });
  await withTransaction(services, (ctx) =>
    appendEvents(ctx, FIRM, [{ subject: 'tkt_now', type: 'message.created', body: {} }]),
  );
  for await (const event of events) {
    expect(event).toMatchObject({ type: 'message.created', position: 1 });
    leaving.abort();
  }
  const { rows } = await services.pool.query('select name from pg_prepared_statements');
  const names = rows.map(({ name }) => name);
  expect(names).toContain('log-place');
  expect(names).not.toContain('log-subject');
});

test('reads the log once for the subscriptions that resume together, and again for one that follows', async () => {
  const { pool } = base.services;
  const firm = FIRM + 3;
  const append = () =>
    withTransaction(base.services, (ctx) =>
      appendEvents(ctx, firm, [{ subject: 'tkt_storm', type: 'test', body: {} }]),
    );
  await pool.query('insert into event_log_heads (workspace_id) values ($1)', [firm]);
  await append();
  await placeEvents(pool, firm, NOTHING, 1_000);
  const { end } = await readLog(pool, firm, LOG_START, NOTHING, 0);
  let reads = 0;
  const query = (...args: unknown[]) => {
    reads++;
    return Reflect.apply(pool.query, pool, args);
  };
  const counting: typeof pool = Object.assign(Object.create(pool), { query });

  const live = new Live({ ...base.services, pool: counting });
  const resume = () => live.resumeOrEnd(firm, end);
  const together = await Promise.all([resume(), resume(), live.resumeOrEnd(firm, null), resume()]);
  expect(together.map(({ isEnd }) => isEnd)).toEqual([true, true, true, true]);
  expect(reads).toBe(2);

  const [before, after] = [
    resume(),
    append()
      .then(() => placeEvents(pool, firm, NOTHING, 1_000))
      .then(resume),
  ];
  expect(await before).toMatchObject({ ...end });
  expect(await after).toMatchObject({ ...end, isEnd: false });
  expect(reads).toBe(4);
});

test('reads the epoch also as a role that may not read the system identifier', async () => {
  const { pool } = base.services;
  const role = `plain_${process.pid}`;
  await pool.query(`create role ${role}`);
  await pool.query('revoke execute on function pg_control_system() from public');
  const client = await pool.connect();
  try {
    await client.query(`set role ${role}`);
    const epoch = await readEpoch(client as unknown as typeof pool);
    expect(epoch).toMatch(/^[0-9a-f]{8}$/);
    expect(epoch).not.toBe(await readEpoch(pool));
  } finally {
    await client.query('reset role');
    client.release();
    await pool.query(`drop role ${role}`);
  }
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
