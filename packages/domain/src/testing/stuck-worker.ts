import { z } from 'zod';
import { defineJob, handle } from '../kernel/jobs.ts';
import { createServices } from '../kernel/services.ts';
import { startWorker } from '../kernel/worker.ts';

/** A process whose worker takes a job, says so, and never finishes it: to be killed by a test. */
const services = await createServices({ databaseUrl: process.env['DATABASE_URL']!, poolMax: 2 });
const stuck = handle(defineJob('test.note', z.object({ text: z.string() })), async (_services, { text }) => {
  process.stdout.write(`${text}\n`);
  await new Promise(() => {});
});
await startWorker(services, [stuck], []);
