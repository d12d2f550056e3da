import { type FirmSetup, type SetupStep, setupSteps } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { AccountContext } from '../procedures/call-context.ts';

/** Returns which steps of the set-up the firm has done. */
export async function getFirmSetup({ db, workspace }: AccountContext): Promise<FirmSetup> {
  const { id } = workspace;
  const { rows } = await sql<Record<SetupStep, boolean>>`
    select
      (select count(*) > 1 from memberships m where m.workspace_id = ${id} and m.role = 'admin' and m.active) as members,
      exists (select from teams t where t.workspace_id = ${id}) as teams,
      exists (select from mailbox_addresses a where a.workspace_id = ${id} and a.tickets is not null) as mailboxes,
      exists (select from knowledge_articles k where k.workspace_id = ${id}) as knowledge,
      exists (select from macros c where c.workspace_id = ${id}) as macros,
      w.sla_policy is not null as sla
    from workspaces w where w.id = ${id}`.execute(db);
  const [done] = rows;
  return { object: 'firm_setup', done: setupSteps.filter((step) => done![step]) };
}
