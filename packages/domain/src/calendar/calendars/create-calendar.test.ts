import { MAX_CALENDARS_OWNED, MAX_EVENTS_PER_CALENDAR } from '@firmdesk/contract';
import { createCalendar } from '@firmdesk/testing';
import { createUserWithToken, meeting, suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';

const gateway = await suiteGateway();

test('the creator owns the calendar, and no other account can access it', async () => {
  const { firm, user, token } = await createUserWithToken(gateway);
  const { token: theirs } = await createUserWithToken(gateway, { firm });
  const { data } = await gateway.rpc('calendar.createCalendar', { token, body: { name: '  Trips ' } });
  expect(data).toEqual({
    object: 'calendar',
    id: expect.any(Number),
    name: 'Trips',
    color: null,
    level: 'owner',
    owner: { id: user.id, name: 'Robin Example' },
  });
  expect((await gateway.rpc('calendar.calendars', { token })).data).toEqual([data]);
  expect((await gateway.rpc('calendar.calendars', { token: theirs })).data).toEqual([]);
});

test.each(['', '   ', 'x'.repeat(101)])('rejects the name %j', async (name) => {
  const { token } = await createUserWithToken(gateway);
  const answer = await gateway.rpc('calendar.createCalendar', { token, body: { name } });
  expect([answer.code, answer.fields?.[0]?.path]).toEqual(['validation_failed', 'name']);
});

test(`an account owns at most ${MAX_CALENDARS_OWNED} calendars, also with concurrent calls`, async () => {
  const { firm, user, token } = await createUserWithToken(gateway);
  for (let n = 0; n < MAX_CALENDARS_OWNED - 2; n++)
    await createCalendar(gateway.services, { firm, owner: user });
  const make = () => gateway.rpc('calendar.createCalendar', { token, body: { name: 'One more' } });
  const answers = await Promise.all(Array.from({ length: 6 }, make));
  expect(answers.map(({ code }) => code).toSorted()).toEqual([
    ...Array(4).fill('calendar_limit_reached'),
    null,
    null,
  ]);
  expect(answers.find(({ code }) => code)!.status).toBe(409);
  expect((await gateway.rpc('calendar.calendars', { token })).data).toHaveLength(MAX_CALENDARS_OWNED);
});

test(`a calendar has at most ${MAX_EVENTS_PER_CALENDAR} events, also with concurrent calls`, async () => {
  const { firm, user, token } = await createUserWithToken(gateway);
  const calendar = await createCalendar(gateway.services, { firm, owner: user });
  await gateway.services.pool.query(
    `insert into events (workspace_id, calendar_id, title, local_start, local_end, timezone, span_start, span_end, created_at, updated_at)
     select (select workspace_id from calendars where id = $1), $1, 'x', '2020-01-01T09:00:00', '2020-01-01T10:00:00', 'UTC', '2020-01-01', '2020-01-01', now(), now()
     from generate_series(1, $2)`,
    [calendar, MAX_EVENTS_PER_CALENDAR - 2],
  );
  const make = () => gateway.rpc('calendar.create', { token, body: { calendar_id: calendar, ...meeting } });
  const answers = await Promise.all(Array.from({ length: 5 }, make));
  expect(answers.map(({ code }) => code).toSorted()).toEqual([
    ...Array(3).fill('event_limit_reached'),
    null,
    null,
  ]);
  expect(answers.find(({ code }) => code)!.status).toBe(409);
});
