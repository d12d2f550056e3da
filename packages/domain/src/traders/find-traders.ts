import type { FindTradersInput, FoundTrader, TradersFound } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { beginsWithName, matchesPerson } from '../access/accounts/match-person.ts';
import { firmIdOf } from '../access/policy.ts';
import { runSearch } from '../platform/search/run-search.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/** How many people are offered while a name is typed. */
const MAX_FOUND = 8;

/**
 * Returns members of the firm whose name or address has every word: traders first, then those whose name begins with the text. Throws
 * `unavailable` and `rate_limited` as other searches.
 */
export function findTraders(
  { db, services, workspace, identity }: AccountContext,
  { q }: z.output<typeof FindTradersInput>,
): Promise<z.infer<typeof TradersFound>> {
  const { sql: text, parameters } = sql`
    select u.id, u.name, u.email
    from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${firmIdOf(workspace.id)} and u.deleted_at is null
      and ${matchesPerson(q)}
    order by m.role <> 'trader', not ${beginsWithName(q)}, lower(u.name), u.id
    limit ${MAX_FOUND}`.compile(db);
  return runSearch(services, identity.user.id, async (pool) => {
    const { rows } = await pool.query<FoundTrader>({ text, values: [...parameters] });
    return { object: 'traders_found' as const, data: rows };
  });
}
