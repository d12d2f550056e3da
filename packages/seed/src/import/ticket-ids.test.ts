import { newId } from '@firmdesk/domain';
import { openTestServices, type TestServices } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { rowsOf } from '../testing/database.ts';
import { importSeed } from './import-seed.ts';

// Random ids rarely end with the same six characters. Here the first hundred do, so that they are generated again.
vi.mock(import('../../../domain/src/platform/process/ids.ts'), async (original) => {
  const ids = await original();
  return { ...ids, newId: vi.fn(ids.newId) };
});

let base: TestServices;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
});
afterAll(() => base[Symbol.asyncDispose]());

const said = (body: string, created_at = 'now') => ({ from: 'trader', body, created_at });
const ticket = { firm: 'north', trader: 'anna', subject: 'S', status: 'open', created_at: 'now' };
const people = {
  firms: [{ slug: 'north', name: 'North' }],
  users: [{ key: 'anna', email: 'anna@example.com', name: 'Anna' }],
};

test('generates numbers that are unique in the firm, among new, imported and existing tickets', async () => {
  const { newId: realNewId } = await vi.importActual<{ newId: typeof newId }>(
    '../../../domain/src/platform/process/ids.ts',
  );
  let generated = 0;
  vi.mocked(newId).mockImplementation((kind, now) => {
    const id = realNewId(kind, now);
    return kind === 'ticket' && generated++ < 100
      ? `${id.slice(0, -6)}same${String(generated % 5).padStart(2, '0')}`
      : id;
  });
  const first = await importSeed(base.services, {
    ...people,
    tickets: Array.from({ length: 4 }, (_, i) => ({ ...ticket, key: `a${i}` })),
  });
  // A later record specifies a number that an earlier generated id could have.
  const second = await importSeed(base.services, {
    users: [{ ...people.users[0], email: 'b@example.com' }],
    tickets: [
      ...Array.from({ length: 60 }, (_, i) => ({ ...ticket, key: `b${i}` })),
      { ...ticket, key: 'given', id: 'tkt_givensame00' },
    ],
  });
  const ids = [...Object.values(first.ids.tickets), ...Object.values(second.ids.tickets)];
  expect(new Set(ids.map((id) => id.slice(-6).toUpperCase())).size).toBe(65);
  expect(second.ids.tickets['given']).toBe('tkt_givensame00');
  expect(generated).toBeGreaterThan(64);
});

test('orders messages by time, and those of the same time by the file', async () => {
  const bodies = Array.from({ length: 30 }, (_, i) => `m${String(i).padStart(2, '0')}`);
  await importSeed(base.services, {
    users: [{ ...people.users[0], email: 'c@example.com' }],
    tickets: [
      {
        ...ticket,
        key: 'order',
        subject: 'Order',
        messages: [said('last', 'now+PT1H'), ...bodies.map((body) => said(body)), said('first', 'now-PT1H')],
      },
    ],
  });
  const found = await rowsOf(
    base.services,
    `select m.body from ticket_messages m join tickets t on t.workspace_id = m.workspace_id and t.id = m.ticket_id where t.subject = 'Order' order by m.created_at, m.id`,
  );
  expect(found.map((row) => Object.values(row)[0])).toEqual(['first', ...bodies, 'last']);
});

test('generates ids that contain the time of their record, at the earliest 1970', async () => {
  const { ids } = await importSeed(base.services, {
    users: [{ ...people.users[0], email: 'd@example.com' }],
    tickets: ['now', 'now-P1Y', '1999-12-31T23:59:59Z', '1969-01-01T00:00:00Z'].map((created_at, i) => ({
      ...ticket,
      key: `t${i}`,
      created_at,
    })),
  });
  const tickets = Object.values(ids.tickets);
  expect(tickets).toEqual(tickets.toSorted().reverse());
});
