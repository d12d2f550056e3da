import { sql } from 'kysely';
import { z } from 'zod';
import { recordAudit } from '../../access/audit/audit.ts';
import { getFirm } from '../../access/workspaces/workspaces.ts';
import { storageUse } from '../../attachments/index.ts';
import { raiseNotification } from '../../notifications/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { newContext, withTransaction } from '../../platform/database/transaction.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';
import type { Services } from '../../platform/services.ts';

/** The shares of its limit, in percent, of which a firm is told once when its files pass them. */
const WARNINGS = [95, 80];

/** Tells firms whose storage is filling up. */
export const checkStorageJob = defineJob('firms.check_storage', z.object({}));

/** Sets how many bytes the files of a firm may take; null for no limit. */
export async function setStorageLimit(
  ctx: OperationContext,
  slug: string,
  limit: number | null,
): Promise<{ slug: string; storage_limit: number | null }> {
  const firm = await getFirm(ctx, slug);
  const before = { storage_limit: firm.storageLimit };
  firm.storageLimit = limit;
  await ctx.em.flush();
  const change = { before, after: { storage_limit: limit } };
  await recordAudit(ctx, firm.id, {
    action: 'firm.storage_limit_changed',
    target: { type: 'firm', id: slug },
    ...change,
  });
  await checkStorageOf(ctx, firm.id);
  return { slug, storage_limit: limit };
}

/** Handles `checkStorageJob`. A firm that fails does not delay the others. */
export async function checkStorage(services: Services): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from workspaces where storage_limit is not null and suspended_at is null order by id`.execute(
    newContext(services).db,
  );
  const failures: unknown[] = [];
  for (const { id } of rows) {
    try {
      await services.firmServers.run(id, () => withTransaction(services, (ctx) => checkStorageOf(ctx, id)));
    } catch (error) {
      failures.push(error);
      services.log.error({ workspace: id, err: error }, 'the storage of a firm cannot be checked');
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Raises `storage_filling_up` if the files of a firm have passed a share of its limit since it was told last. */
async function checkStorageOf(ctx: OperationContext, workspaceId: number): Promise<void> {
  const use = await storageUse(ctx, workspaceId);
  const passed = use ? (WARNINGS.find((percent) => use.used * 100 >= use.limit * percent) ?? 0) : 0;
  // The lock makes two checks at once raise it once.
  const { rows } = await sql<{ slug: string; storage_warned: number }>`
    select slug, storage_warned from workspaces where id = ${workspaceId} for no key update`.execute(ctx.db);
  const { slug, storage_warned } = rows[0]!;
  if (passed === storage_warned) return;
  await sql`update workspaces set storage_warned = ${passed} where id = ${workspaceId}`.execute(ctx.db);
  if (passed < storage_warned) return;
  await raiseNotification(ctx, {
    workspace: { id: workspaceId, slug },
    kind: 'storage_filling_up',
    title: `${passed} % of the firm’s storage is used`,
    body: `Files take ${megabytes(use!.used)} of ${megabytes(use!.limit)} MB. When it is full, nobody can attach files; mail still arrives.`,
    actionUrl: '/settings',
  });
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}
