import { createTicketFixture, openTestGateway, ticketCalls } from '@firmdesk/testing/gateway';
import { expect, inject, test } from 'vitest';
import { migrate } from '../../platform/database/migrations/migrate.ts';

const NAME = '0049-report-sources';

test('replies of the assistant from before the upgrade are found by the articles on which they are based', async () => {
  await using gateway = await openTestGateway(inject('postgresUrl'));
  const { services } = gateway;
  const { pool } = services;
  const { firm, token, createTicket, messagesOf } = await createTicketFixture(gateway);
  const { call } = ticketCalls(gateway, () => token);
  const reply = async (state: string, articles: string[] | null) => {
    const ticket = await createTicket({ messages: [{ from: 'ai', body: 'On Monday.' }] });
    const [message] = await messagesOf(ticket);
    await pool.query(
      `insert into assistant_runs (workspace_id, ticket_id, kind, state, message_id, status_before, last_message_at, articles,
         created_at, ended_at)
       values ($1, $2, 'answer', $3, $4, 'open', now(), $5, now(), case when $3 in ('done', 'failed') then now() end)`,
      [
        firm.id,
        ticket,
        state,
        message!.id,
        articles && JSON.stringify(articles.map((id) => ({ id, title: id }))),
      ],
    );
    return ticket;
  };
  const both = await reply('done', ['art_charges1', 'art_payouts1']);
  const one = await reply('done', ['art_payouts1']);
  const others = [
    await reply('done', null),
    await reply('failed', ['art_charges1']),
    await reply('running', ['art_charges1']),
  ];

  await pool.query(`
    alter table ticket_messages drop column article_ids;
    drop index ticket_messages_macros, tickets_open_since;
    alter table report_days drop constraint report_days_dimension;
    alter table report_days add constraint report_days_dimension_check
      check (dimension = any ('{all,tag,language,agent,macro}'))`);
  const upgrade = async () => {
    await pool.query('delete from mikro_orm_migrations where name = $1', [NAME]);
    expect(await migrate(services)).toEqual([NAME]);
  };
  const found = async (article: string) => {
    const { data } = await call('search', { article });
    return data.map(({ id }: { id: string }) => id).sort();
  };
  await upgrade();
  // An interrupted migration is run again.
  await upgrade();
  expect(await found('art_payouts1')).toEqual([both, one].sort());
  expect(await found('art_charges1')).toEqual([both]);
  expect(await found('-art_payouts1')).toEqual([...others].sort());
  const { rows } = await pool.query(
    `select conname as name from pg_constraint where conrelid = 'report_days'::regclass and contype = 'c'`,
  );
  expect(rows).toEqual([{ name: 'report_days_dimension' }]);
});
