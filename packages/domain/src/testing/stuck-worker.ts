import { once } from 'node:events';
import { z } from 'zod';
import { createServices } from '../app/services.ts';
import { defineJob, handle } from '../platform/jobs.ts';
import type { Log } from '../platform/log.ts';
import { startWorker } from '../platform/worker.ts';

/** A process whose worker takes a job, says so, and finishes it when a line comes: to be killed or frozen by a test. */
const say = (text: string) => void process.stdout.write(`${text}\n`);
const saying = (_fields: object, message: string) => say(message);
const log: Log = { info: () => {}, warn: saying, error: saying };
const services = await createServices({ databaseUrl: process.env['DATABASE_URL']!, poolMax: 2, log });
const stuck = handle(defineJob('test.note', z.object({ text: z.string() })), async (_services, { text }) => {
  say(text);
  await once(process.stdin, 'data');
});
await startWorker(services, [stuck], [], JSON.parse(process.env['LEASE_TIMES']!));
