import { createCalendar, createEvents, createMailbox } from '@firmdesk/testing';
import {
  calendarCalls,
  createUserWithToken,
  suiteGateway,
  type UserWithToken,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

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

  test.each([
    ['declined', (id: number) => done('answer', { id, response: 'declined' })],
    ['deleted', (id: number) => done('delete', { id, occurrence_start: null, extent: 'all' })],
  ])('a copy of a %s invitation does not bring it back; a new version does', async (_, end) => {
    const mailbox = await createMailbox(gateway.services, { firm: me.firm, writes: [me.user] });
    const deliver = async (copy: number, sequence: number) => {
      const lines = [
        ...['From: olga@org.test', `Message-ID: <${copy}@org.test>`, 'Content-Type: text/calendar', ''],
        ...['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'BEGIN:VEVENT', 'UID:a', `SEQUENCE:${sequence}`],
        ...['DTSTAMP:20261101T090000Z', 'DTSTART:20261124T090000Z', 'ORGANIZER:mailto:olga@org.test'],
        ...['END:VEVENT', 'END:VCALENDAR'],
      ];
      const body = { mailbox: mailbox.email, encoding: 'text', raw: lines.join('\r\n') };
      expect((await gateway.rpc('mail.deliver', { token: me.token, body })).data).toMatchObject({
        status: 'delivered',
      });
    };
    await deliver(1, 0);
    const [{ id }] = await window();
    await end(id);
    await deliver(2, 0);
    expect(await window()).toEqual([]);
    await deliver(3, 1);
    expect(await window()).toMatchObject([{ status: 'pending' }]);
  });
});
