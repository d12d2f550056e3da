import type { FirmTrader, FirmTraderPage, ListFirmTradersInput } from '@firmdesk/contract';
import type { z } from 'zod';
import type { AccountContext } from '../../procedures/call-context.ts';

/** Returns a page of the firm's traders, in the order of their ids. A cursor stays valid when its account has left. */
export async function listTraders(
  { db, workspace }: AccountContext,
  { limit, starting_after }: z.output<typeof ListFirmTradersInput>,
): Promise<z.input<typeof FirmTraderPage>> {
  let query = db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.name', 'u.email', 'm.created_at'])
    .where('m.workspace_id', '=', workspace.id)
    .where('m.role', '=', 'trader')
    .where('m.active', '=', true)
    .where('u.deleted_at', 'is', null)
    .orderBy('m.user_id', 'desc')
    .limit(limit + 1);
  if (starting_after !== undefined) query = query.where('m.user_id', '<', starting_after);
  const rows = await query.execute();
  const data: FirmTrader[] = rows.slice(0, limit).map((row) => ({ object: 'trader', ...row }));
  const hasMore = rows.length > limit;
  return { data, meta: { has_more: hasMore, next_cursor: hasMore ? data.at(-1)!.id : null } };
}
