import { type FirmTag, permissions } from '@firmdesk/contract';
import {
  createCalendar,
  createEvents,
  createMailbox,
  createMailMessage,
  createTag,
  createTicket,
  createUser,
  type TestUser,
} from '@firmdesk/testing';
import { createUserWithToken, type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;
let firm: Firm;
let user: TestUser;
let token: string;

beforeEach(async () => {
  ({ firm, user, token } = await createUserWithToken(gateway, { permissions: [...permissions] }));
});

const rpc = (procedure: string, body: object = {}) => gateway.rpc(`firm.tags.${procedure}`, { token, body });
const call = async (procedure: string, body: object = {}) => {
  const answer = await rpc(procedure, body);
  expect(answer.code, answer.text).toBeNull();
  return answer.data;
};
const tags = async (): Promise<FirmTag[]> => (await call('list')).data;
const trail = async () => {
  const { rows } = await services.pool.query(
    `select action, before, after from audit_events where workspace_id = $1 and target_type = 'tag' order by id`,
    [firm.id],
  );
  return rows;
};

describe('tags', () => {
  test('are created, renamed, coloured and deleted, each with a name of its own', async () => {
    const { id } = await call('create', { name: 'Payout', color: '#aa0000' });
    expect((await rpc('create', { name: 'PAYOUT', color: '#aa0000' })).code).toBe('validation_failed');
    expect((await rpc('create', { name: 'Fee', color: 'red;x' })).code).toBe('validation_failed');
    const fee = await call('create', { name: 'Fee', color: '#00aa00' });
    expect((await rpc('update', { id, name: 'fee' })).code).toBe('validation_failed');
    expect(await call('update', { id, name: 'Money' })).toMatchObject({ name: 'Money', color: '#aa0000' });
    expect(await call('update', { id, color: '#0000aa' })).toMatchObject({ name: 'Money', color: '#0000aa' });
    await call('update', { id, name: 'Money' });
    await call('delete', { id: fee.id });
    expect((await rpc('delete', { id: fee.id })).code).toBe('resource_not_found');
    // The name is free again.
    await call('create', { name: 'Fee', color: '#00aa00' });
    expect((await tags()).map(({ name }) => name)).toEqual(['Fee', 'Money']);
    expect((await trail()).map(({ action }) => action)).toEqual([
      'tag.created',
      'tag.created',
      'tag.changed',
      'tag.changed',
      'tag.deleted',
      'tag.created',
    ]);
  });

  test('are merged wherever they are used: tickets, mail, events and macros', async () => {
    const [from, into] = [await createTag(services, { firm }), await createTag(services, { firm })];
    const trader = await createUser(services, { firm, role: 'trader' });
    const tickets = [
      await createTicket(services, { firm, trader, tags: [from] }),
      await createTicket(services, { firm, trader, tags: [from, into] }),
    ];
    const mailbox = await createMailbox(services, { firm, writes: [user] });
    const { threadId } = await createMailMessage(services, { mailbox, folder: 'inbox' });
    const calendar = await createCalendar(services, { firm, owner: user });
    const at = new Date().toISOString();
    const [event] = await createEvents(services, [
      { calendar_id: calendar, title: 'Review', starts_at: at, ends_at: at },
    ]);
    const sql = (text: string, ...values: unknown[]) => services.pool.query(text, [firm.id, ...values]);
    await sql(
      'insert into mail_thread_tags (workspace_id, thread_id, tag_id) values ($1, $2, $3)',
      threadId,
      from,
    );
    await sql('insert into event_tags (workspace_id, event_id, tag_id) values ($1, $2, $3)', event, from);
    await sql(
      `insert into macros (workspace_id, id, position, name, name_key, texts, tag_ids, assigns_author, created_at)
       values ($1, 'mac_one', 1, 'One', 'one', '[]', $2, false, now()), ($1, 'mac_two', 2, 'Two', 'two', '[]', $3, false, now())`,
      [from],
      [from, into],
    );
    expect((await tags()).find(({ id }) => id === from)).toMatchObject({
      tickets: 2,
      conversations: 1,
      events: 1,
    });
    expect((await rpc('merge', { id: from, into: from })).code).toBe('validation_failed');
    expect(await call('merge', { id: from, into })).toMatchObject({
      id: into,
      tickets: 2,
      conversations: 1,
      events: 1,
    });
    expect((await tags()).map(({ id }) => id)).toEqual([into]);
    const { rows } = await sql('select ticket_id, tag_id from ticket_tags where workspace_id = $1');
    expect(rows.map((row) => row.ticket_id).sort()).toEqual(tickets.sort());
    expect(new Set(rows.map((row) => row.tag_id))).toEqual(new Set([into]));
    const { rows: macros } = await sql('select tag_ids from macros where workspace_id = $1 order by id');
    expect(macros).toEqual([{ tag_ids: [into] }, { tag_ids: [into] }]);
    expect(await trail()).toMatchObject([
      { action: 'tag.merged', before: { tickets: 2, conversations: 1, events: 1 }, after: { into } },
    ]);
  });

  test('of another firm are not found, neither as what is merged nor as what it becomes', async () => {
    const foreign = await createUserWithToken(gateway, { permissions: [] });
    const theirs = await createTag(services, { firm: foreign.firm });
    const own = await createTag(services, { firm });
    for (const [procedure, body] of [
      ['update', { id: theirs, name: 'Ours' }],
      ['delete', { id: theirs }],
      ['merge', { id: theirs, into: own }],
      ['merge', { id: own, into: theirs }],
    ] as const)
      expect((await rpc(procedure, body)).code, procedure).toBe('resource_not_found');
    expect(await tags()).toHaveLength(1);
  });
});
