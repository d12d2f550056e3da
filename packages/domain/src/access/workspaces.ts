import { PLATFORM, Slug } from '@firmdesk/contract';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError, invalidField } from '../platform/errors.ts';
import { queryPool } from '../platform/query-pool.ts';
import type { Services } from '../platform/services.ts';
import { recordAudit } from './audit.ts';
import type { WorkspaceRef } from './identity.ts';
import { Workspace } from './workspace.entity.ts';

/** Adds a firm. */
export async function addWorkspace(
  ctx: OperationContext,
  input: { slug: string; name: string },
): Promise<Workspace> {
  const { em, now } = ctx;
  if (!Slug.safeParse(input.slug).success) {
    throw invalidField('slug', 'must be at most 63 lower-case letters, digits and hyphens');
  }
  if (input.name.trim() === '') throw invalidField('name', 'must not be empty');
  if (input.slug === PLATFORM)
    throw invalidField('slug', `must not be ${PLATFORM}, the workspace of the service's own staff`);
  if (await em.findOne(Workspace, { slug: input.slug })) throw invalidField('slug', 'is already taken');
  const firm = em.create(Workspace, { slug: input.slug, name: input.name.trim(), createdAt: now });
  await em.flush();
  await recordAudit(ctx, firm.id, { action: 'firm.added', target: { type: 'firm', id: firm.slug } });
  return firm;
}

export interface WorkspaceSummary extends WorkspaceRef {
  members: number;
  /** `deleting`: the deletion was begun and must be continued. */
  state: 'served' | 'suspended' | 'deleting';
}

/** Returns every firm by slug, with the number of its members. */
export async function listWorkspaces({ em }: OperationContext): Promise<WorkspaceSummary[]> {
  const rows = await sqlOf(em)
    .selectFrom('workspaces as w')
    .leftJoin('memberships as m', (join) =>
      join.onRef('m.workspace_id', '=', 'w.id').on('m.active', '=', true),
    )
    .select(({ fn }) => ['w.id', 'w.slug', 'w.name', fn.count<string>('m.user_id').as('members')])
    .select(({ case: when }) =>
      when()
        .when('w.deletion_started_at', 'is not', null)
        .then('deleting' as const)
        .when('w.suspended_at', 'is not', null)
        .then('suspended' as const)
        .else('served' as const)
        .end()
        .as('state'),
    )
    .where('w.slug', '!=', PLATFORM)
    .groupBy('w.id')
    .orderBy('w.slug')
    .execute();
  return rows.map((row) => ({ ...row, members: Number(row.members) }));
}

/** Returns the workspace with a slug, including `platform`. Throws `resource_not_found`. */
export async function getWorkspace({ em }: OperationContext, slug: string): Promise<Workspace> {
  const workspace = await em.findOne(Workspace, { slug });
  if (!workspace) throw new ApiError('resource_not_found', { message: `There is no workspace ${slug}.` });
  return workspace;
}

/** Records that the data of a firm was exported. */
export async function recordFirmExport(ctx: OperationContext, slug: string): Promise<void> {
  const { id } = await getWorkspace(ctx, slug);
  await recordAudit(ctx, id, { action: 'firm.exported', target: { type: 'firm', id: slug } });
}

/** Returns whether the database contains neither a firm nor an account. */
export async function isEmpty({ pool }: Services): Promise<boolean> {
  const { rows } = await queryPool<{ empty: boolean }>(
    pool,
    `select not exists (select from users) and not exists (select from workspaces where slug <> $1) as empty`,
    [PLATFORM],
  );
  return rows[0]!.empty;
}
