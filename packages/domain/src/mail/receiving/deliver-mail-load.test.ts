import { randomUUID } from 'node:crypto';
import { DRAFT_BODY_LIMIT } from '@firmdesk/contract';
import { createMailbox } from '@firmdesk/testing';
import { createUserWithToken, measureEventLoop, runLoad, suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';

const COUNT = 14;
const LINES = 990_000;
const gateway = await suiteGateway();

test('fourteen concurrent messages of 5.9 MB are all delivered without blocking the event loop or the database', async () => {
  const { firm, user, token } = await createUserWithToken(gateway);
  const mailbox = await createMailbox(gateway.services, { firm, writes: [user] });
  const stopSampling = measureEventLoop(gateway.services.pool);
  const { answers, pings } = await runLoad({
    url: gateway.url,
    token,
    calls: Array.from({ length: COUNT }, (_, i) => deliveryOf(mailbox.email, i)),
  });
  const { longestMs, waiting, samples } = stopSampling();
  expect(answers.map(({ status }) => status)).toEqual(Array(COUNT).fill(200));
  const { data } = await gateway.rpc('mail.list', { token, body: { address_id: mailbox.id, limit: 100 } });
  expect(data.data).toHaveLength(COUNT);
  expect(pings.length).toBeGreaterThan(COUNT);
  // Milliseconds of processor time, independent of other load on the machine. Parsing one of the messages takes a thousand.
  expect(longestMs).toBeLessThan(100);
  // If fourteen transactions waited for the parser, other calls would get no connection.
  expect(waiting / samples).toBeLessThan(0.1);
});

test.each([
  ['inline tags', '{"body":"{{text}}",', '<b>', 200],
  ['quotes', '{"body":"{{text}}",', '\\"', 200],
  ['characters of three bytes', '{"body":"{{text}}",', '€', 200],
  ['values in an unknown field', '{"other":[{{text}}0],', '{},', 422],
])(
  'a draft of 10 MiB of %s blocks the event loop for less than 100 ms',
  async (_, beginning, text, status) => {
    const { firm, user, token } = await createUserWithToken(gateway);
    const mailbox = await createMailbox(gateway.services, { firm, writes: [user] });
    const stopSampling = measureEventLoop(gateway.services.pool);
    const { answers } = await runLoad({
      url: gateway.url,
      token,
      calls: [
        {
          path: '/v1/me/mail/drafts',
          headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
          body: `${beginning}"address_id":${mailbox.id}}`,
          text,
          times: Math.floor((DRAFT_BODY_LIMIT - 100) / Buffer.byteLength(text)),
        },
      ],
    });
    const { longestMs } = stopSampling();
    expect(answers.map((answer) => answer.status)).toEqual([status]);
    expect(longestMs).toBeLessThan(100);
  },
);

/** Returns a call that delivers a message of many short lines. `runLoad` replaces `{{text}}` by `times` copies of `text`. */
function deliveryOf(mailbox: string, index: number) {
  const header = [
    `Message-ID: <load-${String(index).padStart(2, '0')}@example.com>`,
    'Content-Type: application/pdf',
    'Content-Transfer-Encoding: base64',
    '',
    '',
  ].join('\r\n');
  const padded = `X: ${'x'.repeat(2 - ((header.length + 1) % 3))}\r\n${header}`;
  return {
    path: '/trpc/mail.deliver',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ json: { mailbox, raw: `${Buffer.from(padded).toString('base64')}{{text}}` } }),
    text: Buffer.from('AAAA\r\n').toString('base64'),
    times: LINES,
  };
}
