import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { z } from 'zod';
import { User } from '../../access/accounts/user.entity.ts';
import { recordFirmExport } from '../../access/workspaces/workspaces.ts';
import type { Actor, OperationContext } from '../../platform/database/context.ts';
import { newContext, withTransaction } from '../../platform/database/transaction.ts';
import type { Services } from '../../platform/services.ts';
import { continueErasure, eraseAccount } from '../accounts/erase-account.ts';
import { exportAccount } from '../accounts/export-account.ts';
import { deleteEarlierFiles, fileKey } from './data-files.ts';
import { DataRequestRow } from './data-request.entity.ts';
import { type dataRequestJob, permissionsFor } from './data-requests.ts';
import { holdsStill } from './holds-still.ts';

type Write = (text: string) => Promise<void>;

/** Writes a firm as an import file. */
export type ExportFirm = (
  services: Services,
  slug: string,
  write: Write,
  options: { onProgress: (list: string, records: number) => void },
) => Promise<{
  counts: Record<string, number>;
  leftOut: readonly { list: string; key: string; reason: string }[];
}>;

declare module '../../platform/services.ts' {
  interface Services {
    /** The format of import files is above the domain. Null in processes that run no jobs. */
    exportFirm: ExportFirm | null;
  }
}

/** How often the progress is stored. */
const PROGRESS_MS = 1_000;
/** The most records that the answer names as left out. */
const MAX_LEFT_OUT = 100;

interface Result {
  counts: Record<string, number>;
  leftOut: string[];
}

interface Running {
  request: DataRequestRow;
  slug: string;
  /** Whether the person is erased already: by the job before, which did not end, or by another request. */
  isErased: boolean;
  actor: Actor;
  signal: AbortSignal | undefined;
}

/** Handles `dataRequestJob`: checks that the account which asked may still do so, and stores the result. A job that repeats begins anew. */
export async function runDataRequest(
  services: Services,
  { workspace, id }: z.infer<(typeof dataRequestJob)['payload']>,
  signal?: AbortSignal,
): Promise<void> {
  const started = await withTransaction(services, async (ctx) => {
    const request = await ctx.em.findOne(DataRequestRow, { workspaceId: workspace, id });
    if (!request || request.finishedAt) return null;
    const { slug } = await ctx.db
      .selectFrom('workspaces')
      .select('slug')
      .where('id', '=', workspace)
      .executeTakeFirstOrThrow();
    const isErased = request.kind === 'erase_person' && (await isErasedPerson(ctx, request.personId!));
    if (!isErased && !(await mayStillAsk(ctx, request))) {
      end(ctx, request, 'failed', { problem: 'Who asked for it may no longer do so.' });
      return null;
    }
    request.state = 'running';
    return { request, slug, isErased };
  });
  if (!started) return;
  const actor = { kind: 'account', id: started.request.requestedBy } as const;
  try {
    const running = { ...started, actor, signal };
    const { counts, leftOut } = await (started.request.kind === 'erase_person'
      ? erase(services, running)
      : writeFile(services, running));
    await finish(services, running, (ctx, row) => end(ctx, row, 'done', { counts, leftOut, problem: null }));
  } catch (error) {
    // A worker that stops, or dies, leaves the request to the next one.
    if (signal?.aborted) throw error;
    services.log.warn({ data_request: id, err: error }, 'a data request has failed');
    const problem =
      started.request.kind === 'erase_person'
        ? 'The erasure was interrupted. Ask for it again to continue.'
        : 'The file could not be written. Ask for it again.';
    await finish(services, { ...started, actor, signal }, (ctx, row) => end(ctx, row, 'failed', { problem }));
  }
}

function end(
  { now }: OperationContext,
  row: DataRequestRow,
  state: 'done' | 'failed',
  result: Partial<Pick<DataRequestRow, 'counts' | 'leftOut' | 'problem'>>,
): void {
  Object.assign(row, result, { state, finishedAt: now });
}

/** Changes the row of a request. The file of one that is gone meanwhile, because its person was erased, is deleted. */
async function finish(
  services: Services,
  { request }: Running,
  change: (ctx: OperationContext, row: DataRequestRow) => void,
): Promise<void> {
  const { workspaceId, id } = request;
  const isStored = await withTransaction(services, async (ctx) => {
    const row = await ctx.em.findOne(DataRequestRow, { workspaceId, id });
    if (row) change(ctx, row);
    return row !== null;
  });
  if (!isStored) await services.objects.delete([fileKey(workspaceId, id)]);
}

async function mayStillAsk(ctx: OperationContext, request: DataRequestRow): Promise<boolean> {
  const { workspaceId, requestedBy: userId, personId = null } = request;
  const permissions = await permissionsFor(ctx, request, userId);
  return holdsStill(ctx, { workspaceId, userId, about: personId }, permissions);
}

async function isErasedPerson({ em }: OperationContext, id: string): Promise<boolean> {
  return (await em.findOneOrFail(User, id)).deletedAt !== null;
}

async function erase(services: Services, { request, slug, isErased, actor }: Running): Promise<Result> {
  if (isErased) {
    await continueErasure(services, request.personId!, request.createdAt);
    return { counts: { ...request.counts, users: 1 }, leftOut: [] };
  }
  const counts = await eraseAccount(services, request.personId!, {
    actor,
    firm: slug,
    onProgress: progressOf(services, request),
  });
  return { counts, leftOut: [] };
}

/**
 * Writes the file of an export to the disk, because the store must know its size, and then to the store. The file on the disk has no name, so that it ends
 * with the process.
 */
async function writeFile(services: Services, running: Running): Promise<Result> {
  const { request, signal } = running;
  const folder = await mkdtemp(join(tmpdir(), 'firmdesk-export-'));
  const file = await open(join(folder, 'content'), 'wx+', 0o600).finally(() =>
    rm(folder, { recursive: true, force: true }),
  );
  try {
    const result = await writeExport(services, running, async (text) => {
      signal?.throwIfAborted();
      await file.appendFile(text);
    });
    const { size } = await file.stat();
    const content = file.createReadStream({ start: 0, autoClose: false });
    await services.objects.write(fileKey(request.workspaceId, request.id), content, size);
    await finish(services, running, (_ctx, row) => {
      row.size = size;
    });
    await deleteEarlierFiles(services, request);
    return result;
  } finally {
    await file.close();
  }
}

async function writeExport(
  services: Services,
  { request, slug, actor }: Running,
  write: Write,
): Promise<Result> {
  const onProgress = progressOf(services, request);
  if (request.kind === 'export_person') {
    const counts = await exportAccount(services, request.personId!, write, { actor, firm: slug, onProgress });
    return { counts, leftOut: [] };
  }
  if (!services.exportFirm) throw new Error('this process cannot export firms');
  const { counts, leftOut } = await services.exportFirm(services, slug, write, { onProgress });
  await withTransaction(services, (ctx) => recordFirmExport({ ...ctx, actor }, slug));
  const reasons = leftOut.map(({ list, key, reason }) => `${list} ${key}: ${reason}`);
  return { counts, leftOut: reasons.slice(0, MAX_LEFT_OUT) };
}

/** Returns a function that stores the rows by table so far, at most once a second. */
function progressOf(
  services: Services,
  { workspaceId, id }: DataRequestRow,
): (table: string, rows: number) => void {
  const counts: Record<string, number> = {};
  let last = performance.now();
  return (table, rows) => {
    counts[table] = rows;
    if (performance.now() - last < PROGRESS_MS) return;
    last = performance.now();
    sql`update data_requests set counts = ${JSON.stringify(counts)}::jsonb
      where workspace_id = ${workspaceId} and id = ${id} and state = 'running'`
      .execute(newContext(services).db)
      .catch((error: unknown) =>
        services.log.warn({ err: error }, 'the progress of a data request was not stored'),
      );
  };
}
