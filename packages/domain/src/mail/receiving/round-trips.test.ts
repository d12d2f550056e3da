import { countRoundTrips, createMailbox, createUser, createWorkspace, unique } from '@firmdesk/testing';
import { suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';
import { receiveMail } from '../../index.ts';

const { services } = await suiteGateway();
const roundTrips = countRoundTrips(services);
const firm = await createWorkspace(services);
const user = await createUser(services, { firm });
const mailbox = await createMailbox(services, { firm, writes: [user] });

async function receive(headers: string[], type = 'text/plain') {
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
