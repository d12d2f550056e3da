import { beforeEach, describe, expect, test } from 'vitest';
import { calendarCalls, createUserWithToken, suiteGateway, type UserWithToken } from '../testing/gateway.ts';
import { createCalendar, createEvents } from '../testing/index.ts';

const gateway = await suiteGateway();
let me: UserWithToken;
let calendar: number;

beforeEach(async () => {
  me = await createUserWithToken(gateway);
  calendar = await createCalendar(gateway.services, { firm: me.firm, owner: me.user });
});

const { done, refused, create, window } = calendarCalls(gateway, () => ({ token: me.token, calendar }));

describe('answering an invitation', () => {
  const invited = async () => {
    const [id] = await createEvents(gateway.services, [
      {
        calendar_id: calendar,
        source: 'mail',
        status: 'pending',
        attendees: [{ email: me.user.email.toUpperCase() }],
      },
    ]);
    return id!;
  };

  test.each(['accepted', 'tentative'])('%s confirms the event with the response', async (response) => {
    const id = await invited();
    await done('answer', { id, response });
    expect(await window()).toMatchObject([{ status: 'confirmed', attendees: [{ response }] }]);
  });

  test('declined deletes the event', async () => {
    const id = await invited();
    await done('answer', { id, response: 'declined' });
    expect(await window()).toEqual([]);
  });

  test('rejects an event that is not an invitation, and an unknown response', async () => {
    expect(await refused('answer', { id: await create(), response: 'accepted' })).toBe(
      'validation_failed id',
    );
    expect(await refused('answer', { id: await invited(), response: 'maybe' })).toBe(
      'validation_failed response',
    );
  });
});
