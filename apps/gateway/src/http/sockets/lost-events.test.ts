import { openTemporaryReplica, openTemporaryServer, primarySettings } from '@firmdesk/postgres';
import { administer, createTemplate, openTcpProxy, type TcpProxy } from '@firmdesk/testing';
import {
  createTicketFixture,
  followTicket,
  openTestGateway,
  type TestGateway,
  type TicketFixture,
  type Viewer,
} from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

/** As many notes as a viewer once missed silently. */
const NOTES = 70;
const TIMEOUT = { timeout: 30_000 };

const primary = await openTemporaryServer({ settings: primarySettings });
await createTemplate(primary.url);
const replica = await openTemporaryReplica(primary);
let gateway: TestGateway;
/** The database as the node under test reaches it. */
let proxy: TcpProxy;
let node: Awaited<ReturnType<TestGateway['secondNode']>>;

beforeAll(async () => {
  gateway = await openTestGateway(primary.url);
  proxy = await openTcpProxy(gateway.databaseUrl);
  node = await gateway.secondNode(proxy.url);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await replica.release();
  await primary.release();
});

interface Scene {
  fixture: TicketFixture;
  ticket: string;
  viewer: Viewer;
}

const watch = ({ fixture, ticket }: Pick<Scene, 'fixture' | 'ticket'>, lastEventId?: string) =>
  followTicket({
    url: node.url,
    token: fixture.token,
    ticket,
    ...(lastEventId !== undefined && { lastEventId }),
  });

/** A viewer of a ticket of a firm of its own, who has received one note. */
async function openScene(): Promise<Scene> {
  const fixture = await createTicketFixture(gateway);
  const ticket = await fixture.createTicket();
  const viewer = await watch({ fixture, ticket });
  await addNote({ fixture, ticket }, 'kept');
  await vi.waitFor(() => expect(notesOf(viewer)).toEqual(['kept']), TIMEOUT);
  return { fixture, ticket, viewer };
}

async function addNote({ fixture, ticket }: Pick<Scene, 'fixture' | 'ticket'>, body: string): Promise<void> {
  const { code } = await node.rpc('tickets.addNote', { token: fixture.token, body: { ticket, body } });
  expect(code).toBeNull();
}

/** Returns the texts of the notes that a viewer has received, since the last `resync` if there is one. */
function notesOf({ events }: Pick<Viewer, 'events'>): string[] {
  const resync = events.findLastIndex(({ data }) => data.type === 'resync');
  return events
    .slice(resync + 1)
    .flatMap(({ data }) => (data.type === 'message.created' ? [data.message.body] : []));
}

const countResyncs = (viewer: Viewer) => viewer.types().filter((type) => type === 'resync').length;

/** Lets viewers receive events, loses some, and checks that every viewer gets `resync` and then each later event once. */
async function expectResync({
  keep,
  lose,
}: {
  /** Copies the database. */
  keep: () => Promise<void>;
  /** Replaces the database by the copy. */
  lose: () => Promise<void>;
}): Promise<void> {
  const [busy, idle] = [await openScene(), await openScene()];
  const kept = busy.viewer.events.at(-1)!.id;
  await keep();
  for (let n = 0; n < 3; n++) await addNote(busy, `lost ${n}`);
  await vi.waitFor(() => expect(notesOf(busy.viewer)).toHaveLength(4), TIMEOUT);
  const lost = busy.viewer.events.at(-1)!.id;
  using away = await watch(busy, lost);
  away[Symbol.dispose]();
  await lose();
  await vi.waitFor(() => addNote(busy, 'note 0'), TIMEOUT);
  // The log grows beyond the lost events.
  for (let n = 1; n < NOTES - 1; n++) await addNote(busy, `note ${n}`);
  await vi.waitFor(() => expect([busy.viewer, idle.viewer].map(countResyncs)).toEqual([1, 1]), TIMEOUT);
  await addNote(busy, `note ${NOTES - 1}`);
  await addNote(idle, 'note');
  const notes = Array.from({ length: NOTES }, (_, n) => `note ${n}`);
  await vi.waitFor(() => expect(notesOf(busy.viewer).at(-1)).toBe(notes.at(-1)), TIMEOUT);
  // A note that was added before `resync` is part of the state that the viewer fetches then.
  const received = notesOf(busy.viewer);
  expect(received).toEqual(notes.slice(-received.length));
  await vi.waitFor(() => expect(notesOf(idle.viewer)).toEqual(['note']), TIMEOUT);
  expect([busy.viewer, idle.viewer].map(countResyncs)).toEqual([1, 1]);
  expect([busy.viewer, idle.viewer].flatMap(({ errors }) => errors)).toEqual([]);
  for (const id of [lost, kept]) {
    using resumed = await watch(busy, id);
    await addNote(busy, `after ${id}`);
    await vi.waitFor(() => expect(notesOf(resumed)).toEqual([`after ${id}`]), TIMEOUT);
    expect(resumed.types()[0]).toBe('resync');
  }
  using upToDate = await watch(busy, busy.viewer.events.at(-1)!.id);
  await addNote(busy, 'last');
  await vi.waitFor(() => expect(notesOf(upToDate)).toEqual(['last']), TIMEOUT);
  expect(countResyncs(upToDate)).toBe(0);
  for (const { viewer } of [busy, idle]) viewer[Symbol.dispose]();
}

describe('every viewer gets resync and then misses nothing', () => {
  test('after a restore of an earlier copy of the database', async () => {
    const name = new URL(gateway.databaseUrl).pathname.slice(1);
    const copy = (from: string, to: string) =>
      administer(primary.url, `create database "${to}" template "${from}"`);
    await expectResync({
      async keep() {
        proxy.cut();
        await administer(primary.url, `alter database "${name}" allow_connections false`);
        await administer(
          primary.url,
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
        );
        await copy(name, `${name}_copy`);
        await administer(primary.url, `alter database "${name}" allow_connections true`);
        proxy.restore();
      },
      async lose() {
        proxy.cut();
        await administer(primary.url, `drop database "${name}" with (force)`);
        await copy(`${name}_copy`, name);
        await administer(primary.url, `drop database "${name}_copy"`);
        proxy.restore();
      },
    });
  }, 120_000);

  test('after a failover to a standby that had not received the last events', async () => {
    await expectResync({
      async keep() {
        const { rows } = await administer(primary.url, 'select pg_current_wal_insert_lsn() as lsn');
        const received = `select pg_last_wal_replay_lsn() >= '${rows[0].lsn}' as received`;
        await vi.waitFor(
          async () => expect((await administer(replica.url, received)).rows).toEqual([{ received: true }]),
          TIMEOUT,
        );
        await administer(replica.url, `alter system set primary_conninfo = ''`);
        await administer(replica.url, 'select pg_reload_conf()');
        await vi.waitFor(
          async () =>
            expect((await administer(replica.url, 'select from pg_stat_wal_receiver')).rowCount).toBe(0),
          TIMEOUT,
        );
      },
      async lose() {
        proxy.cut();
        await administer(replica.url, 'select pg_promote()');
        proxy.redirectTo(replica.url);
        proxy.restore();
      },
    });
  }, 120_000);
});
