import { once } from 'node:events';
import { z } from 'zod';
import { createServices } from '../../app/services.ts';
import { defineJob, handle } from '../jobs/jobs.ts';
import { startWorker } from '../jobs/worker.ts';
import type { Log } from '../process/log.ts';

/** A process whose worker starts a job, prints its text, and finishes it after a line of input. Tests kill or freeze it. */
const print = (text: string) => void process.stdout.write(`${text}\n`);
const printMessage = (_fields: object, message: string) => print(message);
const log: Log = { info: () => {}, warn: printMessage, error: printMessage };
const services = await createServices({
  databaseUrl: process.env['DATABASE_URL']!,
  poolSizes: { main: 2 },
  log,
});
const stuck = handle(defineJob('test.note', z.object({ text: z.string() })), async (_services, { text }) => {
  print(text);
  await once(process.stdin, 'data');
});
await startWorker(services, [stuck], [], { times: JSON.parse(process.env['LEASE_TIMES']!) });
