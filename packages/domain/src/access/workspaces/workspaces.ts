import { oneLine, PLATFORM, Slug } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import { recordAudit } from '../audit/audit.ts';
import type { WorkspaceRef } from '../identity.ts';
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
  const name = oneLine(input.name);
  if (name === '') throw invalidField('name', 'must not be empty');
  if (input.slug === PLATFORM)
    throw invalidField('slug', `must not be ${PLATFORM}, the workspace of the service's own staff`);
  if (await em.findOne(Workspace, { slug: input.slug })) throw invalidField('slug', 'is already taken');
  const firm = em.create(Workspace, { slug: input.slug, name, createdAt: now });
  await em.flush();
  await recordAudit(ctx, firm.id, { action: 'firm.added', target: { type: 'firm', id: firm.slug } });
  return firm;
}

export interface WorkspaceSummary extends WorkspaceRef {
  members: number;
  /** `deleting`: the deletion was begun and must be continued. */
  state: 'served' | 'suspended' | 'deleting';
  /** When the firm is deleted, if its members have asked for it. */
  deletion_due_at: string | null;
  /** The slug of the firm of which it is the sandbox; null for a firm. */
  sandbox_of: string | null;
}

/** Returns every firm and sandbox by slug, with the number of its members. */
export async function listWorkspaces({ db }: OperationContext): Promise<WorkspaceSummary[]> {
  const rows = await db
    .selectFrom('workspaces as w')
    .leftJoin('memberships as m', (join) =>
      join
        .on('m.workspace_id', '=', sql.raw<number>('coalesce(w.sandbox_of, w.id)'))
        .on('m.active', '=', true),
    )
    .leftJoin('workspaces as f', 'f.id', 'w.sandbox_of')
    .select(['w.id', 'w.slug', 'w.name', 'w.deletion_due_at', 'f.slug as sandbox_of'])
    .select(({ fn }) => fn.count<string>('m.user_id').as('members'))
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
    .groupBy(['w.id', 'f.slug'])
    .orderBy('w.slug')
    .execute();
  return rows.map((row) => ({ ...row, members: Number(row.members) }));
}

/**
 * Returns the firm with a slug, or `platform`. Throws `resource_not_found`, and `validation_failed` for a sandbox, which has no members and
 * keys of its own.
 */
export async function getFirm(ctx: OperationContext, slug: string): Promise<Workspace> {
  const workspace = await getWorkspace(ctx, slug);
  if (workspace.sandboxOf != null)
    throw invalidField('workspace', `must be the slug of a firm, got that of a sandbox: "${slug}"`);
  return workspace;
}

/** Returns the workspace with a slug, including `platform` and sandboxes. Throws `resource_not_found`. */
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
  const { rows } = await pool.query<{ empty: boolean }>(
    `select not exists (select from users) and not exists (select from workspaces where sandbox_of is null and slug <> $1) as empty`,
    [PLATFORM],
  );
  return rows[0]!.empty;
}
