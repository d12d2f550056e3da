import type {
  CreateTicketViewInput,
  OrderTicketViewsInput,
  TicketView,
  TicketViewList,
  UpdateTicketViewInput,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { sqlState } from '../../platform/database/database-errors.ts';
import { invalidField } from '../../platform/process/errors.ts';
import { newId } from '../../platform/process/ids.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { publishTicketViews } from './stream-ticket-views.ts';
import {
  checkTicketView,
  lockTicketView,
  readTicketViews,
  type TicketViewRow,
  toTicketView,
} from './ticket-view-row.ts';

const UNIQUE_VIOLATION = '23505';

/** Creates a view of the caller, or of one of their teams. Throws `validation_failed` as {@link checkTicketView}. */
export async function createTicketView(
  ctx: AccountContext,
  { name, team, search }: z.infer<typeof CreateTicketViewInput>,
): Promise<TicketView> {
  const { db, workspace, identity, now } = ctx;
  const row: TicketViewRow = { id: newId('ticketView', now), team_id: team, name, search };
  await checkTicketView(ctx, row);
  const { rows } = await sql`
    insert into ticket_views (workspace_id, id, user_id, team_id, name, search, created_at)
    values (${workspace.id}, ${row.id}, ${team === null ? identity.user.id : null}, ${team}, ${name},
      ${JSON.stringify(search)}::jsonb, ${now.toISOString()})
    on conflict do nothing returning id`.execute(db);
  // Another call has saved a view of this name since it was checked.
  if (rows.length === 0) throw invalidField('name', 'is the name of another view');
  await publishTicketViews(ctx, team);
  return toTicketView(row);
}

/** Changes a view. Throws `resource_not_found`, and `validation_failed` as {@link checkTicketView}. */
export async function updateTicketView(
  ctx: AccountContext,
  { id, name, team, search }: z.infer<typeof UpdateTicketViewInput>,
): Promise<TicketView> {
  const { db, workspace, identity } = ctx;
  const before = await lockTicketView(ctx, id);
  const row: TicketViewRow = {
    id,
    name: name ?? before.name,
    team_id: team === undefined ? before.team_id : team,
    search: search ?? before.search,
  };
  if (row.name !== before.name || row.team_id !== before.team_id) await checkTicketView(ctx, row);
  await sql`
    update ticket_views set name = ${row.name}, team_id = ${row.team_id},
      user_id = ${row.team_id === null ? identity.user.id : null}, search = ${JSON.stringify(row.search)}::jsonb
    where workspace_id = ${workspace.id} and id = ${id}`
    .execute(db)
    .catch((error: unknown) => {
      // Another call has taken the name since it was checked.
      if (sqlState(error) === UNIQUE_VIOLATION) throw invalidField('name', 'is the name of another view');
      throw error;
    });
  await publishTicketViews(ctx, before.team_id, row.team_id);
  return toTicketView(row);
}

/** Deletes a view. Throws `resource_not_found`. */
export async function deleteTicketView(ctx: AccountContext, { id }: { id: string }): Promise<void> {
  const { team_id } = await lockTicketView(ctx, id);
  await publishTicketViews(ctx, team_id);
  await sql`
    delete from ticket_views where workspace_id = ${ctx.workspace.id} and id = ${id}`.execute(ctx.db);
}

/** Sets the order in which the caller sees their views. Unknown ids are ignored. Returns the views in the new order. */
export async function orderTicketViews(
  ctx: AccountContext,
  { views }: z.infer<typeof OrderTicketViewsInput>,
): Promise<TicketViewList> {
  const { db, workspace, identity } = ctx;
  const known = new Set((await readTicketViews(ctx)).map(({ id }) => id));
  const order = [...new Set(views)].filter((id) => known.has(id));
  await sql`
    insert into ticket_view_orders (workspace_id, user_id, views)
    values (${workspace.id}, ${identity.user.id}, ${order}::text[])
    on conflict (workspace_id, user_id) do update set views = excluded.views`.execute(db);
  await publishTicketViews(ctx);
  return { object: 'ticket_views', views: await readTicketViews(ctx) };
}
