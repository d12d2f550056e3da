import { sql } from 'kysely';
import { Workspace } from '../../access/workspaces/workspace.entity.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import type { TicketAutomation } from './ticket-automation.ts';

/** Waits for other changes of the firm's assignment and rules, until the transaction ends. */
export async function lockAutomation({ db }: OperationContext, workspaceId: number): Promise<void> {
  await sql`select from workspaces where id = ${workspaceId} for no key update`.execute(db);
}

/** Derives again what changes of the firm's tickets start, after a change of its teams or rules. */
export async function deriveAutomation({ em, db }: OperationContext, workspaceId: number): Promise<void> {
  await em.flush();
  const teams = await sql<{ id: number }>`
    select id from teams where workspace_id = ${workspaceId} and assignment <> 'off' order by id`.execute(db);
  const rules = await sql<{ trigger: { on: string; property?: string; for?: string; minutes?: number } }>`
    select trigger from ticket_rules where workspace_id = ${workspaceId} and is_on`.execute(db);
  const triggers = rules.rows.map(({ trigger }) => trigger);
  const distinct = <T>(values: readonly T[]): T[] => [
    ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
  ];
  const automation = {
    assigns: teams.rows.map(({ id }) => id),
    on: distinct(triggers.map(({ on }) => on)),
    properties: distinct(triggers.flatMap(({ property }) => property ?? [])),
    waits: distinct(
      triggers.flatMap(({ on, for: whom, minutes }) => (on === 'waiting' ? [{ for: whom, minutes }] : [])),
    ),
  } as TicketAutomation;
  const isEmpty = automation.assigns.length + automation.on.length === 0;
  const firm = await em.findOneOrFail(Workspace, workspaceId);
  firm.ticketAutomation = isEmpty ? null : { ...automation };
  await em.flush();
}
