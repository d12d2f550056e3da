import { countRoundTrips, unique } from '@firmdesk/testing';
import { createMailUser, suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';
import { receiveMail } from './receiving/receive-mail.ts';
import { sendMail } from './sending/send-mail.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const roundTrips = countRoundTrips(services);
const { firm, mailbox, token } = await createMailUser(gateway);
services.mail = {
  domains: [],
  server: {
    send: async () => ({ state: 'sent', detail: '250 Ok' }),
    check: async () => {},
    close: async () => {},
  },
};

/** Returns the round trips of a received message. */
async function receive(headers: string[], type = 'text/plain'): Promise<number> {
  const lines = ['From: Ann <ann@outside.example>', `To: ${mailbox.email}`, `Content-Type: ${type}`];
  const before = roundTrips();
  const receipts = await receiveMail(
    services,
    {
      raw: Buffer.from([...lines, ...headers, '', 'Text', ''].join('\r\n')),
      sender: 'ann@outside.example',
      recipients: [mailbox.email],
    },
    { spamHeader: 'x-spam-flag', trustedHosts: [], dnsServers: null },
  );
  expect(receipts).toEqual([{ status: 'delivered' }]);
  return roundTrips() - before;
}

const newId = () => `<${unique('id')}@outside.example>`;

test('a received message takes at most seven round trips to the database, and two more if it has files', async () => {
  const first = newId();
  expect(await receive([`Message-ID: ${first}`])).toBeLessThanOrEqual(7);
  expect(await receive([`Message-ID: ${newId()}`, `In-Reply-To: ${first}`])).toBeLessThanOrEqual(7);
  expect(await receive([`Message-ID: ${newId()}`], 'image/png')).toBeLessThanOrEqual(9);
});

test('a job that sends a message to one recipient takes at most six round trips to the database', async () => {
  const body = { address_id: mailbox.id, to: ['ann@outside.example'], subject: 'Numbers', body: 'Hello' };
  const answer = await gateway.request('POST /v1/me/mail/messages', { token, body });
  const { id, delivery } = answer.body.data;
  const before = roundTrips();
  await sendMail(services, { workspace: firm.id, message: id, send_at: delivery.send_at, attempt: 0 });
  expect(roundTrips() - before).toBeLessThanOrEqual(6);
  const sent = await gateway.request(`GET /v1/me/mail/messages/${id}`, { token });
  expect(sent.body.data.delivery.state).toBe('sent');
});
