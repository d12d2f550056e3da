import type { SetSlaPolicyInput, SlaPolicyStreamEvent, Weekday } from '@firmdesk/contract';
import { weekdays } from '@firmdesk/contract';
import { createTicket, type TestUser } from '@firmdesk/testing';
import {
  createTicketFixture,
  createUserWithToken,
  type Firm,
  follow,
  followTicket,
  suiteGateway,
  ticketCalls,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { refreshAllDueTimes } from '../tickets/due-times/refresh-due-times.ts';

const MINUTE = 60_000;
const gateway = await suiteGateway();
const { services, clock } = gateway;
let firm: Firm;
let agent: TestUser;
let trader: TestUser;
let token: string;
let platform: string;
/** 10:00 UTC on a Monday. */
let start: number;
const { rpc, call, get } = ticketCalls(gateway, () => token);

beforeEach(async () => {
  const now = clock.now();
  const days = (8 - now.getUTCDay()) % 7 || 7;
  start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days, 10);
  clock.advance(start - now.getTime());
  ({ firm, agent, trader, token } = await createTicketFixture(gateway, [
    'view_tickets',
    'manage_tickets',
    'manage_assistant',
  ]));
  ({ token: platform } = await createUserWithToken(gateway, { firm, scopes: ['platform:write'] }));
});

const none = { first_response_minutes: null, resolution_minutes: null };
const normal = { first_response_minutes: 60, resolution_minutes: 480 };
const targets = {
  urgent: { first_response_minutes: 10, resolution_minutes: 120 },
  high: normal,
  normal,
  low: none,
};
/** From 9 to 17 o'clock from Monday to Friday. */
const office = {
  timezone: 'UTC',
  week: Object.fromEntries(
    weekdays.map((day, i) => [day, i < 5 ? [{ from: '09:00', to: '17:00' }] : []]),
  ) as Record<Weekday, { from: string; to: string }[]>,
  holidays: [],
};
const set = (over: Partial<SetSlaPolicyInput> = {}) =>
  call('serviceTargets.set', { targets, warn_minutes: 15, hours: null, ...over });
const refresh = () => refreshAllDueTimes(services, { workspace: firm.id });
const open = async (over: object = {}): Promise<string> => {
  const opening = { from: trader.email, subject: 'Payout', body: 'Where?', ai_enabled: false, ...over };
  return (await call('platform.open', opening, platform)).ticket.id;
};
const write = (ticket: string) =>
  call('platform.write', { ticket, from: trader.email, body: 'Hello?' }, platform);
const passMinutes = (minutes: number) => clock.advance(minutes * MINUTE);
/** The due times of a ticket, in minutes after the start. */
async function due(ticket: string): Promise<[response: number | null, resolution: number | null]> {
  const { first_response_due_at: response, resolution_due_at: resolution } = await get(ticket);
  const minutes = (at: string | null) => (at === null ? null : (Date.parse(at) - start) / MINUTE);
  return [minutes(response), minutes(resolution)];
}

describe('a ticket', () => {
  test('has no due times in a firm without targets, nor in a priority without them', async () => {
    const ticket = await open();
    expect(await due(ticket)).toEqual([null, null]);
    await set();
    expect(await due(await open({ priority: 'low' }))).toEqual([null, null]);
  });

  test('is due after its targets, in business hours', async () => {
    await set();
    expect(await due(await open())).toEqual([60, 480]);
    await set({ hours: office });
    // 420 minutes are left on Monday.
    const ticket = await open();
    expect(await due(ticket)).toEqual([60, 1440 + 0]);
    expect(await due(await open({ priority: 'urgent' }))).toEqual([10, 120]);
  });

  test('has its first response by a reply of the team, not by a note nor by the assistant', async () => {
    await set();
    const ticket = await open();
    await call('addNote', { ticket, body: 'Look.' });
    expect(await due(ticket)).toEqual([60, 480]);
    passMinutes(30);
    await call('reply', { ticket, body: 'We look.' });
    expect(await due(ticket)).toEqual([null, null]);
    passMinutes(100);
    await write(ticket);
    // 30 of 480 minutes are used.
    expect(await due(ticket)).toEqual([null, 130 + 450]);
  });

  test('does not use its time while the assistant answers, it awaits the trader, or it has ended', async () => {
    await set();
    const ticket = await open({ ai_enabled: true });
    expect(await due(ticket)).toEqual([null, null]);
    passMinutes(50);
    await call('switchAssistant', { ticket, enabled: false });
    expect(await due(ticket)).toEqual([110, 530]);
    passMinutes(20);
    await call('setStatus', { ticket, status: 'awaiting_trader' });
    expect(await due(ticket)).toEqual([null, null]);
    passMinutes(30);
    await call('setStatus', { ticket, status: 'awaiting_admin' });
    expect(await due(ticket)).toEqual([140, 560]);
    await call('setStatus', { ticket, status: 'resolved' });
    expect(await due(ticket)).toEqual([null, null]);
    await call('undoEnd', { ticket, status: 'awaiting_admin' });
    expect(await due(ticket)).toEqual([140, 560]);
  });

  test.each([null, office])(
    'stays overdue as long as it was when its end is undone (hours: %j)',
    async (hours) => {
      await set({ hours });
      const ticket = await open();
      passMinutes(120);
      const overdue = await due(ticket);
      expect(overdue[0]).toBe(60);
      await call('setStatus', { ticket, status: 'resolved' });
      await call('undoEnd', { ticket, status: 'awaiting_admin' });
      expect(await due(ticket)).toEqual(overdue);
    },
  );

  test('uses its time also while it is snoozed', async () => {
    await set();
    const ticket = await open();
    await call('snooze', { ticket, until: null });
    expect(await due(ticket)).toEqual([60, 480]);
  });

  test('has the targets of its new priority, and keeps the time that it used', async () => {
    await set();
    const ticket = await open();
    passMinutes(5);
    await call('setPriority', { ticket, priority: 'urgent' });
    expect(await due(ticket)).toEqual([10, 120]);
    await call('setPriority', { ticket, priority: 'low' });
    expect(await due(ticket)).toEqual([null, null]);
    await call('setPriority', { ticket, priority: 'high' });
    expect(await due(ticket)).toEqual([60, 480]);
  });

  test('that another was merged into has the longer wait of both, and the earlier response', async () => {
    await set();
    const [first, answered] = [await open(), await open()];
    passMinutes(30);
    await call('reply', { ticket: answered, body: 'We look.' });
    passMinutes(20);
    await write(answered);
    expect(await due(answered)).toEqual([null, 50 + 450]);
    passMinutes(10);
    await call('merge', { ticket: first, into: answered });
    // 60 and 40 minutes were used.
    expect(await due(answered)).toEqual([null, 60 + 420]);
  });

  test('has its due times after a macro’s reply, and if the team opens it', async () => {
    await set();
    const macro = await open();
    const actions = { add_tags: [], status: 'awaiting_admin', priority: 'urgent', assignee: null };
    await call('reply', { ticket: macro, body: 'We look.', actions });
    expect(await due(macro)).toEqual([null, 120]);
    const note = { to: trader.email, subject: 'Papers', body: 'Ask.', kind: 'note', priority: 'normal' };
    expect(await due((await call('start', note)).ticket.id)).toEqual([60, 480]);
    const reply = await call('start', { ...note, kind: 'reply' });
    expect(await due(reply.ticket.id)).toEqual([null, null]);
    await write(reply.ticket.id);
    expect(await due(reply.ticket.id)).toEqual([null, 480]);
  });
});

describe('a change of the targets', () => {
  test('computes the due times of all open tickets again, and shows them to viewers', async () => {
    const ticket = await open();
    const imported = await createTicket(services, {
      firm,
      trader,
      status: 'awaiting_admin',
      createdAt: new Date(start - 30 * MINUTE),
      messages: [{ from: 'admin', body: 'We look.' }],
    });
    const ended = await createTicket(services, { firm, trader, status: 'closed' });
    using viewer = await followTicket({ url: gateway.url, token, ticket });
    await set();
    await refresh();
    expect(await due(ticket)).toEqual([60, 480]);
    expect(await due(imported)).toEqual([null, 450]);
    expect(await due(ended)).toEqual([null, null]);
    await expect
      .poll(() =>
        viewer.events.map(({ data }) => data.type === 'ticket.updated' && data.ticket.resolution_due_at),
      )
      .toEqual(expect.arrayContaining([new Date(start + 480 * MINUTE).toISOString()]));
    await set({ targets: { urgent: none, high: none, normal: none, low: none } });
    await refresh();
    expect(await due(ticket)).toEqual([null, null]);
  });

  test('reaches more tickets than one batch has', async () => {
    for (let i = 0; i < 101; i++) await createTicket(services, { firm, trader, status: 'awaiting_admin' });
    await set();
    await refresh();
    const { rows } = await services.pool.query(
      'select count(*)::int as due from tickets where workspace_id = $1 and resolution_due_at is not null',
      [firm.id],
    );
    expect(rows).toEqual([{ due: 101 }]);
  });

  test('is recorded, answered as it is stored, and followed live', async () => {
    using stream = await follow<SlaPolicyStreamEvent>(gateway.url, { token }, (trpc, handlers) =>
      trpc.tickets.serviceTargets.live.subscribe({}, handlers),
    );
    const stored = await set({ hours: office, warn_minutes: null });
    expect(stored).toMatchObject({ object: 'service_targets', hours: office, warn_minutes: null, targets });
    expect(await call('serviceTargets.get')).toEqual(stored);
    const { rows } = await services.pool.query(
      `select actor, before, after from audit_events where workspace_id = $1 and action = 'firm.service_targets_changed'`,
      [firm.id],
    );
    expect(rows).toMatchObject([
      { actor: agent.id, before: { service_targets: null }, after: { service_targets: { hours: office } } },
    ]);
    await expect
      .poll(() => stream.events.map(({ data }) => data))
      .toEqual([{ type: 'service_targets.changed' }]);
  });

  test('is refused if others have changed what it replaces, also in a firm that had none', async () => {
    const { object: _, ...unset } = await call('serviceTargets.get');
    const first = { targets, warn_minutes: 15, hours: office };
    await call('serviceTargets.set', { ...first, expected: unset });
    const other = { targets, warn_minutes: 30, hours: null };
    expect((await rpc('serviceTargets.set', { ...other, expected: unset })).code).toBe('precondition_failed');
    expect(await call('serviceTargets.get')).toMatchObject(first);
    await call('serviceTargets.set', { ...other, expected: first });
    expect(await call('serviceTargets.get')).toMatchObject(other);
  });

  test('is refused with what is wrong', async () => {
    const day = (...monday: [string, string][]) => ({
      hours: { ...office, week: { ...office.week, monday: monday.map(([from, to]) => ({ from, to })) } },
    });
    const closed = Object.fromEntries(weekdays.map((name) => [name, []]));
    for (const wrong of [
      { targets: { ...targets, low: { first_response_minutes: 0, resolution_minutes: null } } },
      { targets: { ...targets, low: { first_response_minutes: 43_201, resolution_minutes: null } } },
      { targets: { urgent: none } },
      { warn_minutes: 0 },
      { warn_minutes: 1441 },
      { hours: { ...office, timezone: 'Berlin' } },
      { hours: { ...office, week: closed } },
      { hours: { ...office, week: { ...closed, monday: [{ from: '09:00', to: '12:59' }] } } },
      { hours: { ...office, holidays: ['2026-12-25', '2026-12-25'] } },
      { hours: { ...office, holidays: ['25.12.2026'] } },
      day(['17:00', '09:00']),
      day(['09:00', '09:00']),
      day(['09:00', '24:01']),
      day(['09:00', '12:00'], ['11:00', '17:00']),
      day(['01:00', '02:00'], ['03:00', '04:00'], ['05:00', '06:00'], ['07:00', '08:00'], ['09:00', '10:00']),
    ]) {
      const { code } = await rpc('serviceTargets.set', { targets, hours: null, ...wrong });
      expect([code, wrong]).toEqual(['validation_failed', wrong]);
    }
  });
});

describe('a list', () => {
  test('is filtered by what is due, and sorted by it', async () => {
    await set();
    const [late, never, soon] = [
      await open(),
      await open({ priority: 'low' }),
      await open({ priority: 'urgent' }),
    ];
    const listed = async (due?: string) =>
      (await call('search', { due, sort: 'next_due_at' })).data.map(({ id }: { id: string }) => id);
    expect(await listed()).toEqual([soon, late, never]);
    expect(await listed('set')).toEqual([soon, late]);
    expect(await listed('breached')).toEqual([]);
    expect(await listed('30m')).toEqual([soon]);
    passMinutes(11);
    expect(await listed('breached')).toEqual([soon]);
    expect(await listed('50m')).toEqual([soon, late]);
    const page = await call('search', { sort: 'next_due_at', limit: 2 });
    const { next_cursor: starting_after } = page.meta;
    expect((await call('search', { sort: 'next_due_at', limit: 2, starting_after })).data).toMatchObject([
      { id: never },
    ]);
    for (const wrong of ['', 'any', 'soon', '0m', '10000m', '--1m'])
      expect((await rpc('search', { due: wrong })).code).toBe('validation_failed');
  });
});
