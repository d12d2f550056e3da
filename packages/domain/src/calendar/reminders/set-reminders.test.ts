import { createCalendar, type TestUser } from '@firmdesk/testing';
import { calendarCalls, createUserWithToken, type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
let firm: Firm;
let me: TestUser;
let colleague: TestUser;
let token: string;
let theirs: string;
let calendar: number;

beforeEach(async () => {
  ({ firm, user: me, token } = await createUserWithToken(gateway));
  ({ user: colleague, token: theirs } = await createUserWithToken(gateway, { firm }));
  calendar = await createCalendar(gateway.services, { firm, owner: me });
});

const { done, create } = calendarCalls(gateway, () => ({ token, calendar }));
const share = (level: 'busy' | 'read' | 'write' | null) =>
  done('share', { calendar_id: calendar, user_id: colleague.id, level });

describe('reminders', () => {
  const dueOf = async (id: number, user = me) =>
    (
      await gateway.services.pool.query(
        'select minutes_before, due_at from event_reminders where event_id = $1 and user_id = $2 order by 1',
        [id, user.id],
      )
    ).rows.map(({ minutes_before, due_at }) => [minutes_before, due_at]);
  const later = (minutes: number) => new Date(gateway.clock.now().getTime() + minutes * 60_000).toISOString();

  test('belong to one account, follow the times of the event, and end with the share', async () => {
    const id = await create({ starts_at: later(120), ends_at: later(180) });
    await share('read');
    await done('remind', {
      id,
      reminders: [
        { minutes_before: 10, channel: 'push' },
        { minutes_before: 30, channel: 'push' },
      ],
    });
    await done('remind', { id, reminders: [{ minutes_before: 20, channel: 'email' }] }, theirs);
    expect(await dueOf(id)).toEqual([
      [10, later(110)],
      [30, later(90)],
    ]);
    expect(await dueOf(id, colleague)).toEqual([[20, later(100)]]);
    await done('change', { id, starts_at: later(240), ends_at: later(300) });
    expect(await dueOf(id)).toEqual([
      [10, later(230)],
      [30, later(210)],
    ]);
    expect(await dueOf(id, colleague)).toEqual([[20, later(220)]]);
    await done('remind', { id, reminders: [] });
    expect(await dueOf(id)).toEqual([]);
    await share('busy');
    expect(await dueOf(id, colleague)).toEqual([]);
  });

  test('of the owner stay when the owner removes a share with themselves', async () => {
    const id = await create({ starts_at: later(120), ends_at: later(180) });
    await done('remind', { id, reminders: [{ minutes_before: 10, channel: 'push' }] });
    await done('share', { calendar_id: calendar, user_id: me.id, level: null });
    expect(await dueOf(id)).toEqual([[10, later(110)]]);
  });

  test('of a series are due for its next existing occurrence', async () => {
    const id = await create({
      starts_at: later(60),
      ends_at: later(90),
      recurrence_rule: 'FREQ=DAILY;COUNT=3',
    });
    await done('remind', { id, reminders: [{ minutes_before: 10, channel: 'push' }] });
    expect(await dueOf(id)).toEqual([[10, later(50)]]);
    await done('delete', { id, occurrence_start: later(60) });
    expect(await dueOf(id)).toEqual([[10, later(50 + 1_440)]]);
    await done('delete', { id, occurrence_start: later(60 + 1_440), extent: 'this_and_following' });
    expect(await dueOf(id)).toEqual([[10, null]]);
  });
});
