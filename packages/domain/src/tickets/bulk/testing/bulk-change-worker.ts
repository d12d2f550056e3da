import { createServices } from '../../../app/services.ts';
import { handle } from '../../../platform/jobs/jobs.ts';
import { startWorker } from '../../../platform/jobs/worker.ts';
import { runBulkChangeJob } from '../bulk-change.ts';
import { runBulkChange } from '../run-bulk-change.ts';

/** A process whose worker runs bulk changes: `bulk-change-worker.ts DATABASE_URL LEASE_TIMES`. Tests kill it. */
const [databaseUrl, times] = process.argv.slice(2);
const log = { info: () => {}, warn: () => {}, error: () => {} };
const services = await createServices({ databaseUrl: databaseUrl!, poolSizes: { main: 2 }, log });
await startWorker(services, [handle(runBulkChangeJob, runBulkChange)], [], { times: JSON.parse(times!) });
