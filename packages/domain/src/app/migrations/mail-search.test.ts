import { createMailUser, openTestGateway } from '@firmdesk/testing/gateway';
import { expect, inject, test } from 'vitest';
import { deliverMail } from '../../mail/receiving/deliver-mail.ts';
import { migrate } from '../../platform/database/migrations/migrate.ts';

const MESSAGES = 120;

test('mail of an earlier version is found after the upgrade', async () => {
  await using gateway = await openTestGateway(inject('postgresUrl'));
  const { services } = gateway;
  const { token, mailbox } = await createMailUser(gateway);
  for (let i = 0; i < MESSAGES; i++) {
    const raw = Buffer.from(
      `From: ann@elsewhere.example\r\nMessage-ID: <${i}@elsewhere.example>\r\nSubject: It's "${i}"\r\n\r\nzebra\\n${i}`,
    );
    await deliverMail(services, { raw, mailbox: mailbox.email, folder: 'inbox' });
  }
  await services.pool.query(`
    alter table mail_messages drop column search_text, drop column search_pending, drop column search_number;
    drop index mail_messages_unread;
    drop table mail_search_postings, mail_search_words, mail_search_progress;
    delete from mikro_orm_migrations
    where name in ('0015-mail-search', '0019-newest-mail', '0047-mail-plans')`);
  expect(await migrate(services)).toEqual(['0015-mail-search', '0019-newest-mail', '0047-mail-plans']);
  for (const q of ['zebra', `"it's" zebra\\n7`]) {
    const { body } = await gateway.request(`GET /v1/me/mail/messages?limit=100&q=${encodeURIComponent(q)}`, {
      token,
    });
    expect([q, body.data?.length]).toEqual([q, q === 'zebra' ? 100 : 11]);
  }
});
