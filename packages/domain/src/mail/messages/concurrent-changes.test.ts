import type { MailListRow } from '@firmdesk/contract';
import { createMailMessage } from '@firmdesk/testing';
import { createMailUser, suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';

const gateway = await suiteGateway();

/** Returns PostgreSQL's count of deadlocks. */
async function deadlocks(): Promise<number> {
  const { rows } = await gateway.services.pool.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]!.deadlocks);
}

test('colleagues who move and mark the same messages in any order wait for each other, without a deadlock', async () => {
  const { token, mailbox } = await createMailUser(gateway);
  const before = await deadlocks();
  for (let round = 0; round < 5; round++) {
    const ids: string[] = [];
    for (let n = 0; n < 10; n++) ids.push((await createMailMessage(gateway.services, { mailbox })).id);
    // PostgreSQL then reads the table in another order than that of the ids.
    await gateway.services.pool.query('analyze mail_messages');
    const listed = await gateway.rpc('mail.list', { token, body: { address_id: mailbox.id } });
    const threads = [...new Set(listed.data.data.map(({ thread_id }: MailListRow) => thread_id))];
    const reversed = ids.toReversed();
    const calls = Array.from({ length: 5 }, (_, n) => [
      ...['trash', 'archive', 'inbox', 'spam'].map((folder) =>
        gateway.rpc('mail.move', { token, body: { ids, folder } }),
      ),
      gateway.rpc('mail.mark', { token, body: { ids: reversed, is_read: true } }),
      gateway.rpc('mail.mark', { token, body: { ids: reversed, is_read: false } }),
      gateway.rpc('mail.delete', { token, body: { ids: ids.slice(n, n + 3).toReversed() } }),
      gateway.rpc('mail.threads.restoreMessages', { token, body: { ids: reversed } }),
      gateway.rpc('mail.threads.mark', { token, body: { threads, is_read: true } }),
      gateway.rpc('mail.threads.mark', { token, body: { threads: threads.toReversed(), is_read: false } }),
      gateway.rpc('mail.threads.move', { token, body: { threads: threads.toReversed(), to: 'archive' } }),
      gateway.request(`POST /v1/me/mail/messages/${ids[9]}/restore`, { token, body: { conversation: true } }),
    ]);
    for (const { status } of await Promise.all(calls.flat())) expect(status).toBe(200);
  }
  expect(await deadlocks()).toBe(before);
});
