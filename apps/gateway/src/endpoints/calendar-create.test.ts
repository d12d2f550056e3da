import { CALENDARS_OWNED } from '@firmdesk/contract';
import { mintCalendar, mintFirm, mintToken, mintUser } from '@firmdesk/domain/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openTestGateway, type TestGateway } from '../testing/test-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway(inject('postgresUrl'));
});
afterAll(() => gateway[Symbol.asyncDispose]());

async function openPerson() {
  const firm = await mintFirm(gateway.services);
  const user = await mintUser(gateway.services, { firm });
  const { text: token } = await mintToken(gateway.services, { user, workspace: firm.slug });
  return { firm, user, token };
}

test('who makes a calendar owns it, may write to it at once, and shares it with nobody', async () => {
  const { firm, user, token } = await openPerson();
  const colleague = await mintUser(gateway.services, { firm });
  const { text: theirs } = await mintToken(gateway.services, { user: colleague, workspace: firm.slug });
  const { data } = await gateway.rpc('calendar.createCalendar', { token, body: { name: '  Trips ' } });
  expect(data).toEqual({
    object: 'calendar',
    id: expect.any(Number),
    name: 'Trips',
    level: 'owner',
    owner: { id: user.id, name: 'Robin Example' },
  });
  expect((await gateway.rpc('calendar.calendars', { token })).data).toEqual([data]);
  expect((await gateway.rpc('calendar.calendars', { token: theirs })).data).toEqual([]);
});

test.each(['', '   ', 'x'.repeat(101)])('the name %j is refused', async (name) => {
  const { token } = await openPerson();
  const answer = await gateway.rpc('calendar.createCalendar', { token, body: { name } });
  expect([answer.code, answer.fields?.[0]?.path]).toEqual(['validation_failed', 'name']);
});

test(`a person owns at most ${CALENDARS_OWNED}, even when they are asked for at once`, async () => {
  const { firm, user, token } = await openPerson();
  for (let n = 0; n < CALENDARS_OWNED - 2; n++) await mintCalendar(gateway.services, { firm, owner: user });
  const make = () => gateway.rpc('calendar.createCalendar', { token, body: { name: 'One more' } });
  const answers = await Promise.all(Array.from({ length: 6 }, make));
  expect(answers.map(({ code }) => code).toSorted()).toEqual([
    ...Array(4).fill('calendar_limit_reached'),
    null,
    null,
  ]);
  expect(answers.find(({ code }) => code)!.status).toBe(409);
  expect((await gateway.rpc('calendar.calendars', { token })).data).toHaveLength(CALENDARS_OWNED);
});
