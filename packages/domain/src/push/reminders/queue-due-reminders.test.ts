import {
  createCalendar,
  createEvents,
  createUser,
  createWorkspace,
  openTestServices,
  type TestServices,
  type TestUser,
} from '@firmdesk/testing';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { WorkspaceRef } from '../../access/identity.ts';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import type { ReminderResult } from '../push-metrics.ts';
import { queueDueReminders } from './queue-due-reminders.ts';

let base: TestServices;
let firm: WorkspaceRef;
let owner: TestUser;
let calendar: number;
let counted: (ReminderResult & { count: number })[];
beforeEach(async () => {
  base = await openTestServices(inject('postgresUrl'));
  await enterFirm();
  counted = [];
  base.services.pushMetrics.onReminders = (result, count) => counted.push({ ...result, count });
});
afterEach(() => base[Symbol.asyncDispose]());

/** Creates the firm whose events the test adds from then on. */
async function enterFirm(): Promise<void> {
  firm = await createWorkspace(base.services);
  owner = await createUser(base.services, { firm });
  calendar = await createCalendar(base.services, { firm, owner });
}

/** Adds an event in an hour, with a reminder ten minutes before. */
async function addEvent(channel: string, over: Record<string, unknown> = {}): Promise<[number, string]> {
  const start = new Date(base.clock.now().getTime() + 60 * MINUTE_MS).toISOString();
  const [id] = await createEvents(base.services, [
    {
      calendar_id: calendar,
      starts_at: start,
      ends_at: start,
      reminders: [{ user_id: owner.id, minutes_before: 10, channel }],
      ...over,
    },
  ]);
  return [id!, start];
}
async function unsent(): Promise<object[]> {
  const { rows } = await base.services.pool.query(
    'select event_id, user_id, minutes_before, channel, starts_at, reason from unsent_reminders order by id',
  );
  return rows;
}

test('a reminder by an unknown channel is recorded as not sent, counted and logged', async () => {
  const [channel, reason, label] = ['carrier-pigeon', 'unknown_channel', 'other'];
  const [event_id, starts_at] = await addEvent(channel);
  base.clock.advance(51 * MINUTE_MS);
  await queueDueReminders(base.services);
  await queueDueReminders(base.services);
  expect(await unsent()).toEqual([
    { event_id, user_id: owner.id, minutes_before: 10, channel, starts_at, reason },
  ]);
  expect(counted).toEqual([{ channel: label, result: reason, count: 1 }]);
  expect(base.log.lines).toEqual([
    {
      level: 'warn',
      message: 'due reminders are not sent',
      fields: { channel: label, reason, reminders: 1 },
    },
  ]);
});

test('each occurrence of a series is recorded', async () => {
  await addEvent('carrier-pigeon', { recurrence_rule: 'FREQ=DAILY;COUNT=2' });
  for (let day = 0; day < 3; day++) {
    base.clock.advance(51 * MINUTE_MS);
    await queueDueReminders(base.services);
    base.clock.advance((24 * 60 - 51) * MINUTE_MS);
  }
  expect(await unsent()).toHaveLength(2);
});

test.each(['push', 'email'])(
  'a reminder by %s whose event has started is recorded as too late',
  async (channel) => {
    const [event_id] = await addEvent(channel);
    base.clock.advance(61 * MINUTE_MS);
    await queueDueReminders(base.services);
    expect(await unsent()).toMatchObject([{ event_id, channel, reason: 'too_late' }]);
    expect(counted).toEqual([{ channel, result: 'too_late', count: 1 }]);
  },
);

test.each(['push', 'email'])(
  'a punctual reminder by %s is counted as queued, and not recorded as unsent',
  async (channel) => {
    await addEvent(channel);
    base.clock.advance(51 * MINUTE_MS);
    await queueDueReminders(base.services);
    expect(await unsent()).toEqual([]);
    expect(counted).toEqual([{ channel, result: 'queued', count: 1 }]);
  },
);

test('the reminder of an event that was moved away is neither sent nor recorded', async () => {
  const [id] = await addEvent('email');
  await base.services.pool.query(`update events set local_start = '2020-01-01T00:00:00' where id = $1`, [id]);
  base.clock.advance(51 * MINUTE_MS);
  await queueDueReminders(base.services);
  expect(await unsent()).toEqual([]);
});

test('a firm that fails does not delay the others, also with more due reminders than are read at once', async () => {
  const failing = firm;
  const starts_at = new Date(base.clock.now().getTime() + 300 * MINUTE_MS).toISOString();
  const reminders = Array.from({ length: 201 }, (_, n) => ({
    user_id: owner.id,
    minutes_before: 10 + n,
    channel: 'carrier-pigeon',
  }));
  await addEvent('carrier-pigeon', { starts_at, ends_at: starts_at, reminders });
  await base.services.pool.query(
    `alter table unsent_reminders add constraint fault check (workspace_id <> ${failing.id})`,
  );
  base.clock.advance(300 * MINUTE_MS);
  await enterFirm();
  const [event_id] = await addEvent('carrier-pigeon');
  base.clock.advance(51 * MINUTE_MS);
  await expect(queueDueReminders(base.services)).rejects.toThrow('fault');
  expect(await unsent()).toMatchObject([{ event_id }]);
  expect(base.log.lines.filter(({ level }) => level === 'error')).toMatchObject([
    { message: 'reminders cannot be queued', fields: { workspace: failing.id } },
  ]);
});
