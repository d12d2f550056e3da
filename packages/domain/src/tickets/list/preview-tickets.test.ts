import { createTicket } from '@firmdesk/testing';
import { createTicketFixture, suiteGateway, ticketCalls } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';

const gateway = await suiteGateway();

test('shows the latest message that the trader sees, in one line, of tickets of the firm only', async () => {
  const { firm, trader, token } = await createTicketFixture(gateway, ['view_tickets', 'manage_tickets']);
  const other = await createTicketFixture(gateway, ['view_tickets']);
  const { call, rpc } = ticketCalls(gateway, () => token);
  const create = (...bodies: string[]) =>
    createTicket(gateway.services, {
      firm,
      trader,
      status: 'awaiting_admin',
      messages: bodies.map((body) => ({ body })),
    });
  const answered = await create('Where is my payout?');
  gateway.clock.advance(1_000);
  await call('reply', { ticket: answered, body: 'It is\n\n  late.' });
  await call('addNote', { ticket: answered, body: 'Ask risk.' });
  const long = await create('word '.repeat(100));
  const empty = await create();
  const foreign = await createTicket(gateway.services, {
    firm: other.firm,
    trader: other.trader,
    messages: [{ body: 'Secret' }],
  });
  const { data } = await call('previews', { tickets: [answered, long, empty, foreign] });
  const texts = new Map(
    data.map(({ ticket_id, text }: { ticket_id: string; text: string }) => [ticket_id, text]),
  );
  expect(texts.get(answered)).toBe('It is late.');
  expect(texts.get(long)).toHaveLength(160);
  expect(texts.size).toBe(2);
  expect((await rpc('previews', { tickets: [] })).status).toBe(400);
});
