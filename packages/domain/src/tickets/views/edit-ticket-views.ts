import type {
  CreateTicketViewInput,
  OrderTicketViewsInput,
  TicketView,
  TicketViewList,
  UpdateTicketViewInput,
} from '@firmdesk/contract';
import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { invalidField } from '../../platform/process/errors.ts';
import { newId } from '../../platform/process/ids.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { publishTicketViews } from './stream-ticket-views.ts';
import { TicketView as TicketViewEntity, TicketViewOrder } from './ticket-view.entity.ts';
import {
  checkTicketView,
  lockTicketView,
  readTicketViews,
  type TicketViewRow,
  toTicketView,
} from './ticket-view-row.ts';

/** Creates a view of the caller, or of one of their teams. Throws `validation_failed` as {@link checkTicketView}. */
export async function createTicketView(
  ctx: AccountContext,
  { name, team, search }: z.infer<typeof CreateTicketViewInput>,
): Promise<TicketView> {
  const { em, workspace, identity, now } = ctx;
  const row: TicketViewRow = { id: newId('ticketView', now), team_id: team, name, search };
  await checkTicketView(ctx, row);
  em.create(TicketViewEntity, {
    workspaceId: workspace.id,
    id: row.id,
    userId: team === null ? identity.user.id : null,
    teamId: team,
    name,
    search,
    createdAt: now,
  });
  await flush(ctx);
  await publishTicketViews(ctx, team);
  return toTicketView(row);
}

/** Changes a view. Throws `resource_not_found`, and `validation_failed` as {@link checkTicketView}. */
export async function updateTicketView(
  ctx: AccountContext,
  { id, name, team, search }: z.infer<typeof UpdateTicketViewInput>,
): Promise<TicketView> {
  const view = await lockTicketView(ctx, id);
  const teamBefore = view.teamId ?? null;
  const row: TicketViewRow = {
    id,
    name: name ?? view.name,
    team_id: team === undefined ? teamBefore : team,
    search: search ?? view.search,
  };
  if (row.name !== view.name || row.team_id !== teamBefore) await checkTicketView(ctx, row);
  ctx.em.assign(view, {
    name: row.name,
    teamId: row.team_id,
    userId: row.team_id === null ? ctx.identity.user.id : null,
    search: row.search,
  });
  await flush(ctx);
  await publishTicketViews(ctx, teamBefore, row.team_id);
  return toTicketView(row);
}

/** Writes a view. Throws `validation_failed` if another call has taken its name since it was checked. */
async function flush({ em }: AccountContext): Promise<void> {
  await em.flush().catch((error: unknown) => {
    if (error instanceof UniqueConstraintViolationException)
      throw invalidField('name', 'is the name of another view');
    throw error;
  });
}

/** Deletes a view. Throws `resource_not_found`. */
export async function deleteTicketView(ctx: AccountContext, { id }: { id: string }): Promise<void> {
  const view = await lockTicketView(ctx, id);
  ctx.em.remove(view);
  await publishTicketViews(ctx, view.teamId ?? null);
}

/** Sets the order in which the caller sees their views. Unknown ids are ignored. Returns the views in the new order. */
export async function orderTicketViews(
  ctx: AccountContext,
  { views }: z.infer<typeof OrderTicketViewsInput>,
): Promise<TicketViewList> {
  const { em, workspace, identity } = ctx;
  const known = new Set((await readTicketViews(ctx)).map(({ id }) => id));
  const order = [...new Set(views)].filter((id) => known.has(id));
  await em.upsert(TicketViewOrder, { workspaceId: workspace.id, userId: identity.user.id, views: order });
  await publishTicketViews(ctx);
  return { object: 'ticket_views', views: await readTicketViews(ctx) };
}
