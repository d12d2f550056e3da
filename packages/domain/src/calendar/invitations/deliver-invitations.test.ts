import { createCalendar, createMailbox } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';

const gateway = await suiteGateway();

/** A mail of 44 KB, whose rules have a COUNT that ends in the year 6000. */
const hostileMail = [
  'From: Ann <ann@example.com>',
  'Message-ID: <hostile@example.com>',
  'Subject: Three hundred invitations',
  'Content-Type: text/calendar; method=REQUEST; charset=utf-8',
  '',
  'BEGIN:VCALENDAR',
  'METHOD:REQUEST',
  ...Array.from({ length: 300 }, (_, i) => [
    'BEGIN:VEVENT',
    `UID:${i}`,
    `DTSTART:20261102T09${String(i % 60).padStart(2, '0')}${String(i % 59).padStart(2, '0')}Z`,
    'RRULE:FREQ=HOURLY;INTERVAL=5;BYDAY=MO;COUNT=1000000',
    'ORGANIZER:mailto:ann@example.com',
    'END:VEVENT',
  ]).flat(),
  'END:VCALENDAR',
].join('\r\n');

test('delivers a mail with 300 invitations, stores 50 of them, and does not block other calls', async () => {
  const { firm, user, token } = await createUserWithToken(gateway);
  await createCalendar(gateway.services, { firm, owner: user });
  const mailbox = await createMailbox(gateway.services, { firm, writes: [user] });
  let isDelivered = false;
  const delivery = gateway
    .rpc('mail.deliver', {
      token,
      body: { mailbox: mailbox.email, encoding: 'text', raw: hostileMail },
    })
    .finally(() => {
      isDelivered = true;
    });
  let pings = 0;
  while (!isDelivered) {
    expect((await gateway.request('GET /v1/ping', { token })).status).toBe(200);
    if (!isDelivered) pings++;
  }
  const { data } = await delivery;
  expect(data).toMatchObject({ status: 'delivered' });
  expect(pings).toBeGreaterThan(10);

  const { body } = await gateway.request('GET /v1/me/calendar/events?from=2026-11-02&until=2026-11-03', {
    token,
  });
  const ids = new Set(body.data.map(({ id }: { id: number }) => id));
  expect(ids.size).toBe(50);
  expect(body.data[0]).toMatchObject({ status: 'pending', source: 'mail' });
});
