import { z } from 'zod';
import type { OperationContext } from '../platform/database/context.ts';
import { defineJob, enqueue } from '../platform/jobs/jobs.ts';

/** Scans a file for malware. */
export const scanFileJob = defineJob('attachments.scan', z.object({ workspace: z.int(), id: z.string() }));

/** A scanner that fails is tried again for weeks, at last every six hours. Until then the file cannot be read. */
const ATTEMPTS = 100;
/** Replies of the assistant and mail start before scans. */
const PRIORITY = 20;

/** Lets a job scan a file, whose row says that it waits for this. */
export async function requestScan(ctx: OperationContext, workspace: number, id: string): Promise<void> {
  await enqueue(ctx, scanFileJob, { workspace, id }, { attempts: ATTEMPTS, priority: PRIORITY });
}
