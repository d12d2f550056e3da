import { createInterface } from 'node:readline';
import { createLogger } from '../logger.ts';

/** Logs the lines of stdin, as they come. */
const log = createLogger('info');
for await (const line of createInterface({ input: process.stdin })) log.info({}, line);
