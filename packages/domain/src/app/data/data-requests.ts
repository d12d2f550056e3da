import {
  DATA_FILE_DAYS,
  type DataRequest,
  type DataRequestKind,
  type ErasePersonInput,
  exportPermissions,
  MAX_DATA_REQUESTS,
  type Permission,
  type PersonErasure,
} from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { recordAudit } from '../../access/audit/audit.ts';
import { beginChange } from '../../firm/firm-changes.ts';
import { ensureHolds, ensureNotAbove, heldBy } from '../../firm/members/ensure-held.ts';
import { raiseNotification } from '../../notifications/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { defineJob, enqueue } from '../../platform/jobs/jobs.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import { newId } from '../../platform/process/ids.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { previewErasure } from '../accounts/preview-erasure.ts';
import { DataRequestRow } from './data-request.entity.ts';

/** Does what a request asks for. */
export const dataRequestJob = defineJob(
  'firms.data_request',
  z.object({ workspace: z.int(), id: z.string() }),
);

/** Returns the permissions that a request needs of an account that asks for it, or reads its file. */
export async function permissionsFor(
  { db }: OperationContext,
  { kind, workspaceId, personId = null }: Pick<DataRequestRow, 'kind' | 'workspaceId' | 'personId'>,
  userId: string,
): Promise<readonly Permission[]> {
  const { rows } = await sql`${colleague(workspaceId, sql`${personId}`)} limit 1`.execute(db);
  return permissionsOf(kind, personId, userId, rows.length > 0);
}

function permissionsOf(
  kind: DataRequestKind,
  personId: string | null,
  userId: string,
  isOfColleague: boolean,
): readonly Permission[] {
  if (kind === 'erase_person') return ['manage_members'];
  if (personId === null) return exportPermissions.firm;
  return exportPermissions[isOfColleague && personId !== userId ? 'colleague' : 'trader'];
}

/** Selects a row for a person who is a colleague: whoever was an administrator, or has a calendar. */
const colleague = (firm: number, person: RawBuilder<unknown>) => sql`
  select from memberships where workspace_id = ${firm} and user_id = ${person} and role = 'admin'
  union all select from calendars where workspace_id = ${firm} and owner_id = ${person}`;

/** After other jobs, which people wait for: it can take minutes. */
const PRIORITY = 20;

/** Returns the newest requests of these kinds. */
export async function listDataRequests(
  ctx: AccountContext,
  kinds: readonly DataRequestKind[],
  person?: string,
): Promise<{ data: z.input<typeof DataRequest>[] }> {
  return {
    data: await selectRequests(
      ctx,
      sql`d.kind = any(${kinds}::text[]) and (${person ?? null}::text is null or d.person_id = ${person ?? null})`,
    ),
  };
}

/** Asks for the export of the firm, or of one of its people. Returns the unfinished request for the same, if there is one. */
export async function requestExport(
  caller: AccountContext,
  person: string | null,
): Promise<z.input<typeof DataRequest>> {
  const ctx = await beginChange(caller, 'data');
  if (person !== null) await findPerson(ctx, person);
  const kind = person === null ? 'export_firm' : 'export_person';
  const asked = { kind, workspaceId: ctx.workspace.id, personId: person } as const;
  await ensureHolds(ctx, await permissionsFor(ctx, asked, ctx.identity.user.id));
  return request(ctx, kind, person);
}

/** Returns what an erasure of one of the firm’s people does. Throws `resource_not_found`. */
export async function previewErasureOf(ctx: AccountContext, { id }: { id: string }): Promise<PersonErasure> {
  await findPerson(ctx, id);
  return previewErasure(ctx, ctx.workspace.slug, id);
}

/** Asks for the erasure of one of the firm’s people. */
export async function requestErasure(
  caller: AccountContext,
  { id, email }: z.output<typeof ErasePersonInput>,
): Promise<z.input<typeof DataRequest>> {
  const ctx = await beginChange(caller, 'data');
  const person = await findPerson(ctx, id);
  if (email.toLowerCase() !== person.email.toLowerCase())
    throw invalidField('email', 'must be the address of the person');
  // Somebody who may erase members remains.
  if (id === ctx.identity.user.id)
    throw invalidField('id', 'must be another person: ask a colleague to erase you');
  await ensureNotAbove(ctx, { id, permissions: person.permissions });
  const { workspace } = ctx;
  await recordAudit(ctx, workspace.id, { action: 'user.erasure_requested', target: { type: 'user', id } });
  return request(ctx, 'erase_person', id);
}

/** Returns a member of the firm, also a former one, or the trader of one of its tickets. Throws `resource_not_found`. */
async function findPerson(
  { db, workspace }: AccountContext,
  id: string,
): Promise<{ email: string; permissions: string[] }> {
  const { rows } = await sql<{ email: string; permissions: string[] }>`
    select u.email, case when m.active and m.role = 'admin' then m.permissions else '{}' end as permissions
    from users u left join memberships m on m.user_id = u.id and m.workspace_id = ${workspace.id}
    where u.id = ${id} and u.deleted_at is null`.execute(db);
  const [person] = rows;
  const { rows: known } = await sql`
    select from memberships where workspace_id = ${workspace.id} and user_id = ${id}
    union all select from (select from tickets
    where workspace_id = ${workspace.id} and trader_id = ${id} limit 1) as t`.execute(db);
  if (!person || known.length === 0) throw new ApiError('resource_not_found');
  return { email: person.email, permissions: person.permissions ?? [] };
}

async function request(
  ctx: AccountContext,
  kind: DataRequestKind,
  personId: string | null,
): Promise<z.input<typeof DataRequest>> {
  const { em, workspace, identity, now } = ctx;
  const same = { workspaceId: workspace.id, kind, personId };
  const unfinished = await em.findOne(DataRequestRow, { ...same, state: { $in: ['waiting', 'running'] } });
  const row =
    unfinished ??
    em.create(DataRequestRow, {
      ...same,
      id: newId('dataRequest', now),
      requestedBy: identity.user.id,
      createdAt: now,
    });
  if (!unfinished) {
    await em.flush();
    await enqueue(
      ctx,
      dataRequestJob,
      { workspace: workspace.id, id: row.id },
      { priority: PRIORITY, attempts: 5 },
    );
    if (kind === 'export_firm') await tellOfExport(ctx);
  }
  return (await selectRequests(ctx, sql`d.id = ${row.id}`))[0]!;
}

/** Tells the colleagues who change settings: the file has what only few of them may see. */
async function tellOfExport(ctx: AccountContext): Promise<void> {
  const { workspace, identity } = ctx;
  await raiseNotification(ctx, {
    workspace,
    kind: 'firm_export',
    title: `${identity.user.name} exports this firm`,
    body: 'The file has all mail and the calendars of all members. If you do not expect this, ask them, and end their access.',
    actionUrl: '/settings/data',
    actorId: identity.user.id,
  });
}

/** Returns requests of the firm. The file is shown to who may read it. */
async function selectRequests(
  ctx: AccountContext,
  condition: RawBuilder<unknown>,
): Promise<z.input<typeof DataRequest>[]> {
  const { db, workspace, identity } = ctx;
  const { rows } = await sql<
    Omit<z.input<typeof DataRequest>, 'object' | 'file'> & { size: string | null; is_colleague: boolean }
  >`
    select d.id, d.kind, d.state, d.counts, d.left_out, d.problem, d.size, d.created_at, d.finished_at,
      case when p.id is not null then jsonb_build_object('id', p.id, 'name', p.name) end as person,
      jsonb_build_object('id', u.id, 'name', u.name) as requested_by,
      exists (${colleague(workspace.id, sql`d.person_id`)}) as is_colleague
    from data_requests d join users u on u.id = d.requested_by left join users p on p.id = d.person_id
    where d.workspace_id = ${workspace.id} and ${condition}
    order by d.id desc limit ${MAX_DATA_REQUESTS}`.execute(db);
  const held = await heldBy(ctx);
  return rows.map(({ size, is_colleague, ...row }) => {
    const needed = permissionsOf(row.kind, row.person?.id ?? null, identity.user.id, is_colleague);
    const isShown = size !== null && needed.every((permission) => held.includes(permission));
    return {
      ...row,
      object: 'data_request',
      file: isShown ? { size: Number(size), expires_at: expiryOf(row.created_at) } : null,
    };
  });
}

function expiryOf(createdAt: string): string {
  return new Date(Date.parse(createdAt) + DATA_FILE_DAYS * DAY_MS).toISOString();
}
