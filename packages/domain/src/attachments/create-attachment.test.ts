import {
  MAX_ATTACHMENT_BYTES,
  MAX_ATTACHMENT_BYTES_PER_HOUR,
  MAX_UNSENT_ATTACHMENTS,
} from '@firmdesk/contract';
import { createTicketFixture, suiteGateway, type TicketFixture } from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';

const gateway = await suiteGateway();
const { pool } = gateway.services;
let fixture: TicketFixture;
let ticket: string;

beforeEach(async () => {
  fixture = await createTicketFixture(gateway);
  ticket = await fixture.createTicket();
});

const announce = async (size: number) =>
  gateway.rpc('attachments.create', { token: fixture.token, body: { ticket, name: 'a.png', size } });
const remove = (id: string) => gateway.rpc('attachments.remove', { token: fixture.token, body: { id } });
/** Stores files of the account, as if it had announced them now. */
const store = (count: number, size: number, columns = '', values = '') =>
  pool.query(
    `insert into attachments (workspace_id, id, ticket_id, uploader_id, name, size, created_at ${columns})
     select $1, 'att_' || $2::text || n, $2, $3, 'a.png', $4, $5::timestamptz ${values} from generate_series(1, $6::int) n`,
    [fixture.firm.id, ticket, fixture.agent.id, size, gateway.clock.now().toISOString(), count],
  );
const codes = (answers: readonly { code: string | null }[]) => answers.map(({ code }) => code).sort();

test('of files that are announced at the same time, only as many as the limit are accepted', async () => {
  await store(MAX_UNSENT_ATTACHMENTS - 3, 4);
  const answers = await Promise.all(Array.from({ length: 12 }, () => announce(4)));
  expect(codes(answers)).toEqual([...Array(9).fill('attachment_limit_reached'), null, null, null].sort());
});

test('the bytes of an hour contain files that were removed or sent, also of announcements at the same time', async () => {
  const fit = MAX_ATTACHMENT_BYTES_PER_HOUR / MAX_ATTACHMENT_BYTES;
  await store(Math.floor(fit) - 2, MAX_ATTACHMENT_BYTES, ', part_of', `, 'tmsg_sent'`);
  const answers = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const answer = await announce(MAX_ATTACHMENT_BYTES);
      if (answer.code === null) await remove(answer.data.id);
      return answer;
    }),
  );
  expect(codes(answers).filter((code) => code !== null)).toEqual(Array(4).fill('attachment_limit_reached'));
  expect((await announce(MAX_ATTACHMENT_BYTES)).code).toBe('attachment_limit_reached');
  gateway.clock.advance(3_600_001);
  expect((await announce(MAX_ATTACHMENT_BYTES)).code).toBeNull();
});
