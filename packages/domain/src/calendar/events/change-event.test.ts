import { createCalendar, createEvents, type TestUser } from '@firmdesk/testing';
import { calendarCalls, createUserWithToken, meeting, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
let me: TestUser;
let token: string;
let calendar: number;

beforeEach(async () => {
  const owner = await createUserWithToken(gateway);
  ({ user: me, token } = owner);
  calendar = await createCalendar(gateway.services, { firm: owner.firm, owner: me });
});

const { done, refused, create, window } = calendarCalls(gateway, () => ({ token, calendar }));
const daily = (over: object = {}) => create({ recurrence_rule: 'FREQ=DAILY;COUNT=4', ...over });
const at = (day: number, hour = 9) =>
  `2026-11-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`;
/** Returns the occurrences of November and December 2026 as `title start/end`. */
const shown = async () =>
  (await window()).map(
    ({ title, starts_at, ends_at }: Record<string, string>) =>
      `${title} ${starts_at!.slice(8, 13)}/${ends_at!.slice(8, 13)}`,
  );

test('list returns the same over RPC as over REST', async () => {
  await daily({ description: 'x', reminders: [{ minutes_before: 5, channel: 'push' }] });
  await create({ title: 'Sünde "x"\n' });
  const query = { from: '2026-11-01T00:00:00Z', until: '2026-12-31T00:00:00Z' };
  const { data, meta } = await done('list', query);
  expect(data).toEqual(await window());
  expect(data).toHaveLength(5);
  expect(meta).toEqual({ from: '2026-11-01T00:00:00.000Z', until: '2026-12-31T00:00:00.000Z' });
});

describe('creating an event', () => {
  test('reads wall times in the given zone, or in the zone of the account', async () => {
    await gateway.services.pool.query(`update users set timezone = 'Asia/Tokyo' where id = $1`, [me.id]);
    await create({ starts_at: '2026-11-23T09:00:00', ends_at: '2026-11-23T10:00:00' });
    await create({ starts_at: '2026-11-23T09:00', ends_at: '2026-11-23T10:00', timezone: 'Europe/Berlin' });
    await create({ starts_at: '2026-11-25', ends_at: '2026-11-26', all_day: true });
    expect(await window()).toMatchObject([
      { starts_at: at(23, 0), timezone: 'Asia/Tokyo' },
      { starts_at: at(23, 8), timezone: 'Europe/Berlin' },
      { starts_at: at(24, 15), ends_at: at(25, 15), all_day: true },
    ]);
  });

  test.each([
    [{ title: '' }, 'title'],
    [{ title: 'x'.repeat(1_001) }, 'title'],
    [{ title: null }, 'title'],
    [{ starts_at: 'soon' }, 'starts_at'],
    [{ starts_at: '2026-02-30T09:00:00Z' }, 'starts_at'],
    [{ ends_at: '2026-11-23T08:00:00Z' }, 'ends_at'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ recurrence_rule: 'FREQ=MINUTELY' }, 'recurrence_rule'],
    [{ recurrence_rule: 'FREQ=DAILY;UNTIL=20261130' }, 'recurrence_rule'],
    [{ recurrence_rule: 'FREQ=DAILY;COUNT=0' }, 'recurrence_rule'],
    [{ all_day: 'yes' }, 'all_day'],
    [{ reminders: [{ minutes_before: -1, channel: 'push' }] }, 'reminders[0].minutes_before'],
    [{ reminders: [{ minutes_before: 1, channel: 'pigeon' }] }, 'reminders[0].channel'],
    [{ reminders: Array(11).fill({ minutes_before: 1, channel: 'push' }) }, 'reminders'],
    [{ attendees: [{ email: 'nobody' }] }, 'attendees[0].email'],
    [{ conference: { url: 'javascript:alert(1)' } }, 'conference.url'],
    [{ tag_ids: [2_000_000_000] }, 'tag_ids[0]'],
  ])('rejects %j, and names the field', async (over, path) => {
    expect(await refused('create', { calendar_id: calendar, ...meeting, ...over })).toBe(
      `validation_failed ${path}`,
    );
  });
});

describe('changing one occurrence', () => {
  test('changes only that occurrence, and keeps its occurrence_start', async () => {
    const id = await daily();
    await done('change', { id, occurrence_start: at(24), starts_at: at(24, 15), title: 'Later' });
    expect(await shown()).toEqual([
      'Meeting 23T09/23T10',
      'Later 24T15/24T16',
      'Meeting 25T09/25T10',
      'Meeting 26T09/26T10',
    ]);
    expect((await window())[1].occurrence_start).toBe(at(24));
    await done('change', { id, occurrence_start: at(24), ends_at: at(24, 18), location: 'Room 1' });
    expect((await window())[1]).toMatchObject({ title: 'Later', ends_at: at(24, 18), location: 'Room 1' });
    await done('change', { id, occurrence_start: at(24), starts_at: at(24, 12), location: null });
    expect((await window())[1]).toMatchObject({ starts_at: at(24, 12), ends_at: at(24, 15), location: null });
  });

  test('rejects invalid times and zones, and names the field', async () => {
    const one = await create();
    const series = { id: await daily(), occurrence_start: at(24) };
    for (const which of [{ id: one }, series, { ...series, extent: 'all' }]) {
      for (const time of ['null', '', '2026-02-30', '2026-11-24T25:00:00Z', '0000-01-01T00:00:00Z']) {
        expect(await refused('change', { ...which, starts_at: time })).toBe('validation_failed starts_at');
        expect(await refused('change', { ...which, ends_at: time })).toBe('validation_failed ends_at');
      }
    }
    expect(await refused('change', { id: one, timezone: 'Nowhere/Else' })).toBe('validation_failed timezone');
    for (const name of ['change', 'delete']) {
      const which = { ...series, occurrence_start: '0000-01-01T00:00:00.000Z' };
      expect(await refused(name, { ...which, title: 'x' })).toBe('validation_failed occurrence_start');
    }
  });

  test('rejects fields of the whole series, and an unknown occurrence_start', async () => {
    const id = await daily({ starts_at: '2026-11-23T09:00:00Z' });
    const single = await create();
    const change = (over: object) => refused('change', { id, occurrence_start: at(24), title: 'x', ...over });
    expect(await change({ recurrence_rule: 'FREQ=DAILY' })).toBe('validation_failed recurrence_rule');
    expect(await change({ tag_ids: [] })).toBe('validation_failed tag_ids');
    expect(await change({ ends_at: at(24, 8) })).toBe('validation_failed ends_at');
    for (const occurrence_start of [null, at(24, 10), at(27)])
      expect(await change({ occurrence_start })).toBe('validation_failed occurrence_start');
    expect(await change({ id: single })).toBe('validation_failed occurrence_start');
  });
});

describe('changing all occurrences', () => {
  test('changes a single event', async () => {
    const id = await create();
    await done('change', { id, starts_at: at(24, 11), description: 'new', timezone: 'Europe/Berlin' });
    expect(await window()).toMatchObject([
      { starts_at: at(24, 11), ends_at: at(24, 12), description: 'new', timezone: 'Europe/Berlin' },
    ]);
    await done('change', { id, description: null });
    expect(await window()).toMatchObject([{ description: null }]);
  });

  test('shifts all occurrences by the same distance, and keeps overrides and exception dates', async () => {
    const id = await daily();
    await done('change', { id, occurrence_start: at(24), title: 'Other' });
    await done('delete', { id, occurrence_start: at(26) });
    await done('change', {
      id,
      occurrence_start: at(25),
      extent: 'all',
      starts_at: at(25, 14),
      ends_at: at(25, 16),
    });
    expect(await shown()).toEqual(['Meeting 23T14/23T16', 'Other 24T14/24T16', 'Meeting 25T14/25T16']);
  });

  test('changes to all-day and back', async () => {
    const id = await daily();
    const days = { starts_at: '2026-11-24', ends_at: '2026-11-25', all_day: true };
    await done('change', { id, occurrence_start: at(24), extent: 'all', ...days });
    expect(await shown()).toEqual([
      'Meeting 23T00/24T00',
      'Meeting 24T00/25T00',
      'Meeting 25T00/26T00',
      'Meeting 26T00/27T00',
    ]);
    const hours = { starts_at: at(24, 9), ends_at: at(24, 10), all_day: false };
    await done('change', { id, occurrence_start: at(24, 0), extent: 'all', ...hours });
    expect(await shown()).toEqual([
      'Meeting 23T09/23T10',
      'Meeting 24T09/24T10',
      'Meeting 25T09/25T10',
      'Meeting 26T09/26T10',
    ]);
  });

  test('shifts UNTIL with the series', async () => {
    const id = await create({ recurrence_rule: 'FREQ=DAILY;UNTIL=20261125T090000Z' });
    await done('change', { id, occurrence_start: at(23), extent: 'all', starts_at: at(23, 12) });
    expect(await shown()).toEqual(['Meeting 23T12/23T13', 'Meeting 24T12/24T13', 'Meeting 25T12/25T13']);
  });

  test('shifts UNTIL with an all-day series', async () => {
    const days = { starts_at: '2026-11-23', ends_at: '2026-11-24', all_day: true };
    const id = await create({ ...days, recurrence_rule: 'FREQ=DAILY;UNTIL=20261125' });
    const moved = { starts_at: '2026-11-25', ends_at: '2026-11-26' };
    await done('change', { id, occurrence_start: at(23, 0), extent: 'all', ...moved });
    expect(await shown()).toEqual(['Meeting 25T00/26T00', 'Meeting 26T00/27T00', 'Meeting 27T00/28T00']);
  });

  test('keeps the last occurrence of an UNTIL when an all-day series gets times', async () => {
    const days = { starts_at: '2026-11-23', ends_at: '2026-11-24', all_day: true };
    const id = await create({ ...days, recurrence_rule: 'FREQ=DAILY;UNTIL=20261124' });
    const hours = { starts_at: at(23), ends_at: at(23, 10), all_day: false };
    await done('change', { id, occurrence_start: at(23, 0), extent: 'all', ...hours });
    expect(await shown()).toEqual(['Meeting 23T09/23T10', 'Meeting 24T09/24T10']);
  });

  test('keeps the last occurrence of an UNTIL when the series gets another zone', async () => {
    const id = await create({ recurrence_rule: 'FREQ=DAILY;UNTIL=20261124T090000Z' });
    await done('change', { id, occurrence_start: at(23), extent: 'all', timezone: 'America/New_York' });
    expect(await shown()).toEqual(['Meeting 23T14/23T15', 'Meeting 24T14/24T15']);
  });

  test('shifts UNTIL by the wall clock', async () => {
    const id = await create({
      starts_at: '2026-10-23T09:00:00',
      ends_at: '2026-10-23T10:00:00',
      timezone: 'America/New_York',
      recurrence_rule: 'FREQ=DAILY;UNTIL=20261031T130000Z',
    });
    const start = '2026-10-23T13:00:00.000Z';
    await done('change', { id, occurrence_start: start, extent: 'all', starts_at: '2026-10-24T13:00:00Z' });
    expect(await shown()).toEqual(['Meeting 01T14/01T15']);
  });

  test('a new rule drops overrides without an occurrence; without a rule, one occurrence stays', async () => {
    const id = await daily();
    await done('change', { id, occurrence_start: at(24), title: 'Other' });
    const all = { id, occurrence_start: at(23), extent: 'all' };
    await done('change', { ...all, recurrence_rule: 'FREQ=DAILY;INTERVAL=2;COUNT=2' });
    expect(await shown()).toEqual(['Meeting 23T09/23T10', 'Meeting 25T09/25T10']);
    await done('change', { ...all, recurrence_rule: null });
    expect(await window()).toMatchObject([
      { is_recurring: false, occurrence_start: null, starts_at: at(23) },
    ]);
  });
});

describe('changing this and the following occurrences', () => {
  test('splits the series: COUNT continues, and overrides and reminders stay with their part', async () => {
    const id = await daily({ reminders: [{ minutes_before: 5, channel: 'push' }] });
    await done('change', { id, occurrence_start: at(23), title: 'First' });
    await done('change', { id, occurrence_start: at(26), title: 'Last' });
    const { id: rest } = await done('change', {
      id,
      occurrence_start: at(25),
      extent: 'this_and_following',
      title: 'Rest',
      starts_at: at(25, 12),
    });
    expect(rest).not.toBe(id);
    expect(await shown()).toEqual([
      'First 23T09/23T10',
      'Meeting 24T09/24T10',
      'Rest 25T12/25T13',
      'Last 26T12/26T13',
    ]);
    expect((await window()).map(({ id }: { id: number }) => id)).toEqual([id, id, rest, rest]);
    expect((await window())[3].reminders).toEqual([{ minutes_before: 5, channel: 'push' }]);
  });

  test('from the first occurrence on, changes the series itself', async () => {
    const id = await daily();
    const answer = await done('change', {
      id,
      occurrence_start: at(23),
      extent: 'this_and_following',
      title: 'All',
    });
    expect(answer.id).toBe(id);
    expect(await shown()).toEqual([
      'All 23T09/23T10',
      'All 24T09/24T10',
      'All 25T09/25T10',
      'All 26T09/26T10',
    ]);
  });

  test('from an added date on, the rule continues with its own steps', async () => {
    const [id] = await createEvents(gateway.services, [
      { calendar_id: calendar, recurrence_rule: 'FREQ=DAILY;COUNT=3', rdates: ['2026-11-24T15:00:00Z'] },
    ]);
    await done('change', { id, occurrence_start: at(24, 15), extent: 'this_and_following', title: 'Rest' });
    expect(await shown()).toEqual([
      'Meeting 23T09/23T10',
      'Meeting 24T09/24T10',
      'Rest 24T15/24T16',
      'Rest 25T09/25T10',
    ]);
  });
});

test('changes a series from its first occurrence on, also if that one starts in a gap of the clocks', async () => {
  const id = await create({
    starts_at: '2026-03-08T02:30:00',
    ends_at: '2026-03-08T04:00:00',
    timezone: 'America/New_York',
    recurrence_rule: 'FREQ=MONTHLY;COUNT=12',
  });
  const which = { id, occurrence_start: '2026-03-08T07:30:00.000Z', extent: 'this_and_following' };
  expect((await done('change', { ...which, title: 'Other' })).id).toBe(id);
});

test('rejects a cancelled occurrence', async () => {
  const [id] = await createEvents(gateway.services, [
    {
      calendar_id: calendar,
      recurrence_rule: 'FREQ=DAILY;COUNT=3',
      overrides: [{ occurrence_start: at(24), cancelled: true }],
    },
  ]);
  const which = { id, occurrence_start: at(24) };
  expect(await refused('change', { ...which, title: 'x' })).toBe('validation_failed occurrence_start');
  expect(await refused('delete', which)).toBe('validation_failed occurrence_start');
});

describe('deleting with the extent', () => {
  const occurrenceOf = (id: number) => ({ id, occurrence_start: at(24) });
  test.each([
    ['this', ['23T09', '25T09', '26T09']],
    ['this_and_following', ['23T09']],
    ['all', []],
  ])('%s', async (extent, left) => {
    const id = await daily();
    await done('change', { id, occurrence_start: at(24), title: 'Other' });
    await done('change', { id, occurrence_start: at(25), title: 'Other' });
    await done('delete', { ...occurrenceOf(id), extent });
    expect((await window()).map(({ starts_at }: { starts_at: string }) => starts_at.slice(8, 13))).toEqual(
      left,
    );
  });

  test('deletes a series from its first occurrence on, also if that one starts in a gap of the clocks', async () => {
    const id = await create({
      starts_at: '2026-03-08T02:30:00',
      ends_at: '2026-03-08T04:00:00',
      timezone: 'America/New_York',
      recurrence_rule: 'FREQ=MONTHLY;COUNT=12',
    });
    const which = { id, occurrence_start: '2026-03-08T07:30:00.000Z' };
    await done('delete', { ...which, extent: 'this_and_following' });
    const { rowCount } = await gateway.services.pool.query('select from events where id = $1', [id]);
    expect(rowCount).toBe(0);
  });

  test('rejects a deleted occurrence', async () => {
    const id = await daily();
    await done('delete', occurrenceOf(id));
    expect(await refused('delete', occurrenceOf(id))).toBe('validation_failed occurrence_start');
    expect(await refused('change', { ...occurrenceOf(id), title: 'x' })).toBe(
      'validation_failed occurrence_start',
    );
  });
});

test('applies concurrent changes of different occurrences', async () => {
  const id = await daily();
  await Promise.all(
    [23, 24, 25, 26].map((day) => done('change', { id, occurrence_start: at(day), title: `Day ${day}` })),
  );
  expect(await shown()).toEqual([
    'Day 23 23T09/23T10',
    'Day 24 24T09/24T10',
    'Day 25 25T09/25T10',
    'Day 26 26T09/26T10',
  ]);
});
