import {
  type CreateFirmInput,
  type FirmEntered,
  type ListStaffFirmsInput,
  PLATFORM,
  type StaffFirm,
  type StaffFirmInput,
  type StaffFirmPage,
} from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { recordAudit } from '../../access/audit/audit.ts';
import { IS_STAFF, MAY_ACT_IN_WORKSPACE } from '../../access/policy.ts';
import { isStaffSession } from '../../access/tokens/sign-in-workspaces.ts';
import { addWorkspace, getFirm } from '../../access/workspaces/workspaces.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { resumeFirm, suspendFirm } from './suspend-firm.ts';

type Reasoned = z.output<typeof StaffFirmInput>;

/** Returns a page of the firms for which the caller is staff: also of suspended ones for the staff of all firms. */
export async function listStaffFirms(
  ctx: AccountContext,
  { q, limit, starting_after }: z.output<typeof ListStaffFirmsInput>,
): Promise<z.input<typeof StaffFirmPage>> {
  ensureStaff(ctx);
  const conditions = [sql`true`];
  if (q !== undefined && q !== '')
    conditions.push(sql`(strpos(lower(f.name), lower(${q})) > 0 or strpos(f.slug, lower(${q})) > 0)`);
  if (starting_after !== undefined) conditions.push(sql`f.slug > ${starting_after}`);
  const rows = await selectFirms(ctx, sql.join(conditions, sql` and `), limit + 1);
  const data = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return { data, meta: { has_more: hasMore, next_cursor: hasMore ? data.at(-1)!.workspace : null } };
}

/** Creates a firm without members: the caller then invites the first. Throws `validation_failed` for a slug that is taken. */
export async function createFirm(
  caller: AccountContext,
  input: z.output<typeof CreateFirmInput>,
): Promise<StaffFirm> {
  const ctx = await ensureStaffOfAll(caller);
  await addWorkspace(ctx, input);
  return readFirm(ctx, input.slug);
}

/** Suspends a firm, with the reason in its audit log. */
export async function suspendForStaff(
  caller: AccountContext,
  { workspace, reason }: Reasoned,
): Promise<StaffFirm> {
  const ctx = await ensureStaffOfAll(caller);
  await readFirm(ctx, workspace);
  await suspendFirm(ctx, workspace, { reason });
  return readFirm(ctx, workspace);
}

/** Resumes a suspended firm, with the reason in its audit log. Changes nothing for another. */
export async function resumeForStaff(
  caller: AccountContext,
  { workspace, reason }: Reasoned,
): Promise<StaffFirm> {
  const ctx = await ensureStaffOfAll(caller);
  const { state } = await readFirm(ctx, workspace);
  if (state !== 'served') await resumeFirm(ctx, workspace, { reason });
  return readFirm(ctx, workspace);
}

/** Records in the audit log of a firm why the caller acts in it, and lets the session act there. */
export async function enterFirm(
  caller: AccountContext,
  { workspace, reason }: Reasoned,
): Promise<z.input<typeof FirmEntered>> {
  const ctx = ensureStaff(caller);
  const { rows } = await sql`
    select from users u join workspaces f on f.slug = ${workspace}
    where u.id = ${ctx.identity.user.id}
    and f.sandbox_of is null and ${sql.raw(MAY_ACT_IN_WORKSPACE)}`.execute(ctx.db);
  if (rows.length === 0) throw new ApiError('resource_not_found');
  const { id } = await getFirm(ctx, workspace);
  await sql`
    update tokens set entered_firms = array_append(entered_firms, ${id}::integer)
    where id = ${ctx.identity.tokenId} and not ${id} = any(entered_firms)`.execute(ctx.db);
  await recordAudit(ctx, id, {
    action: 'firm.entered_by_staff',
    target: { type: 'firm', id: workspace },
    after: { reason },
  });
  return { object: 'firm_entered', workspace };
}

/** Throws `forbidden` for a caller who is not staff. Returns the context in which the audit trail names the caller. */
function ensureStaff(ctx: AccountContext): AccountContext {
  if (!isStaffSession(ctx.identity))
    throw new ApiError('forbidden', { message: 'Only the staff of the service may do this.' });
  return { ...ctx, actor: { kind: 'account', id: ctx.identity.user.id } };
}

async function ensureStaffOfAll(caller: AccountContext): Promise<AccountContext> {
  const ctx = ensureStaff(caller);
  const { rows } = await sql`
    select from users u
    where u.id = ${ctx.identity.user.id} and u.staff_of_all_firms and ${sql.raw(IS_STAFF)}`.execute(ctx.db);
  if (rows.length === 0)
    throw new ApiError('forbidden', { message: 'Only the staff of all firms may do this.' });
  return ctx;
}

async function readFirm(ctx: AccountContext, slug: string): Promise<StaffFirm> {
  const [firm] = await selectFirms(ctx, sql`f.slug = ${slug}`, 1);
  if (!firm) throw new ApiError('resource_not_found');
  return firm;
}

async function selectFirms(
  { db, identity }: AccountContext,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<StaffFirm[]> {
  const { rows } = await sql<Omit<StaffFirm, 'object'>>`
    select f.slug as workspace, f.name, f.created_at, f.deletion_due_at,
      case when f.deletion_started_at is not null then 'deleting' when f.suspended_at is not null then 'suspended' else 'served' end as state,
      (select count(*)::integer from memberships m where m.workspace_id = f.id and m.active and m.role = 'admin') as members
    from workspaces f join users u on u.id = ${identity.user.id}
    where f.sandbox_of is null and f.slug <> ${PLATFORM} and (u.staff_of_all_firms or ${sql.raw(MAY_ACT_IN_WORKSPACE)}) and ${condition}
    order by f.slug limit ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, object: 'staff_firm' }));
}
