import { openTestServices, type TestServices } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { demoSeed } from '../demo/index.ts';
import type { SeedRecordInput } from '../schema.ts';
import { rowsOf } from '../testing/database.ts';
import { importSeed } from './import-seed.ts';

let base: TestServices;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
});
afterAll(() => base[Symbol.asyncDispose]());

type Message = NonNullable<SeedRecordInput<'tickets'>['messages']>[number];
const trader: Message = { from: 'trader', body: 'Hello?', created_at: 'now-PT3H' };
const ai: Message = { from: 'ai', body: 'Hello.', created_at: 'now-PT2H' };
const admin: Message = { from: 'admin', body: 'Hello!', created_at: 'now-PT1H' };
const note: Message = { ...admin, internal: true };
const again: Message = { ...trader, created_at: 'now-PT5M' };
const announced: Message = { from: 'system', body: 'We are closed today.', created_at: 'now-PT1M' };

const cases = {
  'a trader who waits': { messages: [trader] },
  'a trader who waits, after a note and an announcement': { messages: [trader, note, announced] },
  'a trader who waits after an answer of the assistant': { messages: [trader, ai, again] },
  'a trader who waits after an answer of the team': { messages: [trader, admin, again] },
  'an answer of the assistant': { messages: [trader, ai] },
  'an answer of the team': { messages: [trader, admin] },
  'an answer of the assistant, now off': { ai_enabled: false, messages: [trader, ai] },
  'no messages, assistant off': { ai_enabled: false, messages: [] },
};

test('sets open tickets to awaiting_admin or awaiting_trader unless the assistant wrote last, and turns it off where the team has answered', async () => {
  const entry = {
    firm: 'entering',
    trader: 'tina',
    subject: 'S',
    status: 'open',
    created_at: 'now-PT4H',
  } as const;
  const imported = await importSeed(base.services, {
    firms: [{ slug: 'entering', name: 'Entering' }],
    users: [{ key: 'tina', email: 'tina@entering.example', name: 'Tina' }],
    tickets: [
      ...Object.entries(cases).map(([key, about]) => ({ ...entry, key, ...about })),
      { ...entry, key: 'ended', status: 'closed', messages: [trader, admin] },
    ],
  });
  const { rows } = await base.services.pool.query<{ id: string; status: string; ai_enabled: boolean }>(
    'select id, status, ai_enabled from tickets',
  );
  const entered = Object.entries(imported.ids.tickets).map(([key, ticketId]) => {
    const { status, ai_enabled } = rows.find(({ id }) => id === ticketId)!;
    return [key, `${status}, ${ai_enabled ? 'on' : 'off'}`];
  });
  expect(Object.fromEntries(entered)).toEqual({
    'a trader who waits': 'awaiting_admin, on',
    'a trader who waits, after a note and an announcement': 'awaiting_admin, on',
    'a trader who waits after an answer of the assistant': 'awaiting_admin, on',
    'a trader who waits after an answer of the team': 'awaiting_admin, off',
    'an answer of the assistant': 'open, on',
    'an answer of the team': 'awaiting_trader, off',
    'an answer of the assistant, now off': 'awaiting_trader, off',
    'no messages, assistant off': 'awaiting_admin, off',
    ended: 'closed, off',
  });
  expect(imported.reports).toEqual([
    {
      path: 'tickets[0]',
      messages: [
        expect.stringMatching(
          /^7 of the 9 tickets from here are "awaiting_admin" or "awaiting_trader" instead of "open"/,
        ),
      ],
    },
  ]);
  expect(await rowsOf(base.services, 'select from assistant_runs')).toEqual([]);
});

test('imports no open ticket of the demo with a waiting trader', async () => {
  await using demo = await openTestServices(inject('postgresUrl'));
  await importSeed(demo.services, demoSeed(demo.clock.now()));
  const wrong = await rowsOf(
    demo.services,
    `select t.subject, t.status, t.ai_enabled from tickets t
     where t.status = 'open' and (t.last_from = 'trader' or not t.ai_enabled)
       or t.ai_enabled and exists (
         select from ticket_messages m
         where m.workspace_id = t.workspace_id and m.ticket_id = t.id and m.from_kind = 'admin' and not m.internal)`,
  );
  expect(wrong).toEqual([]);
});
