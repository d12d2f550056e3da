import type { Services } from '@firmdesk/domain';
import { createUser } from '@firmdesk/testing';

type Firm = Parameters<typeof createUser>[1]['firm'] & { id: number };

/**
 * Creates tickets of a new trader, each a minute older than the one before, and returns the trader. One statement, because
 * fixtures insert one at a time. The prefix of the ids, two characters, differs between the callers.
 */
export async function createManyTickets(
  { services, firm }: { services: Services; firm: Firm },
  count: number,
  prefix: string,
): Promise<{ id: string }> {
  const trader = await createUser(services, { firm, role: 'trader' });
  await services.pool.query(
    `insert into tickets (id, workspace_id, trader_id, subject, status, priority, last_from, last_message_at,
       trader_wrote_at, created_at, search_text)
     select 'tkt_' || $4 || lpad(i::text, 24, '0'), $1, $2, 'Case ' || i, 'awaiting_trader', 'normal', 'admin', at, at, at, 'case'
     from generate_series(1, $3::integer) i, lateral (select now() - i * interval '1 minute' as at) times`,
    [firm.id, trader.id, count, prefix],
  );
  return trader;
}
