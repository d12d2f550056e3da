import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { MAY_ACT_FOR_FIRM, TOKENS } from '../policy.ts';
import { firmSlug, slugIn } from './sandbox.ts';

/**
 * Returns the id of the sandbox of a workspace, and creates the sandbox if there is none: with the settings of the firm, and no other rows.
 * Concurrent calls create one.
 */
export async function ensureSandbox(db: Sql, firmId: number, now: Date): Promise<number> {
  const select = db.selectFrom('workspaces').select('id').where('sandbox_of', '=', firmId);
  const existing = await select.executeTakeFirst();
  if (existing) return existing.id;
  const firm = await db
    .selectFrom('workspaces')
    .select([
      'slug',
      'name',
      'logo',
      'logo_hash',
      'push_content',
      'assistant_enabled_for_team',
      'assistant_monthly_allowance',
      'sla_policy',
    ])
    .where('id', '=', firmId)
    .executeTakeFirstOrThrow();
  const values = [
    slugIn('test', firm.slug),
    firm.name,
    firm.logo,
    firm.logo_hash,
    firm.push_content,
    firm.assistant_enabled_for_team,
    firm.assistant_monthly_allowance,
    firm.sla_policy && JSON.stringify(firm.sla_policy),
    firmId,
    now.toISOString(),
  ];
  // This waits for a concurrent call, whose row the next statement sees.
  await sql`
    insert into workspaces (slug, name, logo, logo_hash, push_content, assistant_enabled_for_team, assistant_monthly_allowance, sla_policy, sandbox_of, created_at)
    values (${sql.join(values)}) on conflict do nothing`.execute(db);
  return (await select.executeTakeFirstOrThrow()).id;
}

/** Creates the sandbox of the firm with this slug, or the slug of its sandbox, if a token may act for the firm. */
export async function ensureSandboxFor(
  { db, now }: OperationContext,
  tokenId: string,
  slug: string,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select f.id from ${sql.raw(TOKENS)} join workspaces f on f.slug = ${firmSlug(slug)} and ${sql.raw(MAY_ACT_FOR_FIRM)}
    where t.id = ${tokenId}`.execute(db);
  if (rows[0]) await ensureSandbox(db, rows[0].id, now);
}
