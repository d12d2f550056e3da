import { openByHand } from './writes/by-hand.ts';
import type { Write, WriteOperation, WritesTarget } from './writes/data.ts';
import { openOperations } from './writes/operations.ts';

export interface LoadRequest {
  operation: WriteOperation;
  connections: number;
  milliseconds: number;
}

/** `cpuSeconds`: the processor time of this process, without that of PostgreSQL. */
export type LoadResult = { count: number; seconds: number; cpuSeconds: number } | { error: string };

/** Until then, the processor's caches may hold what another process has used. */
const LEAD_IN_MS = 50;

let writes: Record<WriteOperation, Write>;
/** How many writes of each operation have begun. */
const begun = new Map<WriteOperation, number>();

process.on('message', async (message: WritesTarget | LoadRequest) => {
  try {
    if ('kind' in message) {
      // Also migrates the database.
      writes = await openOperations(message);
      if (message.kind === 'by hand') writes = openByHand(message);
      process.send!('ready');
    } else {
      process.send!((await load(message)) satisfies LoadResult);
    }
  } catch (error) {
    process.send!({ error: String((error as Error).stack) } satisfies LoadResult);
  }
});

/**
 * Runs as many writes at a time as there are connections, and measures while all connections are busy: not the first writes, and not those
 * that end after the measured time, when fewer and fewer share a flush of the server's log.
 */
async function load({ operation, connections, milliseconds }: LoadRequest): Promise<LoadResult> {
  const write = writes[operation];
  const started = performance.now();
  let done = 0;
  let first: Moment | undefined;
  let last: Moment | undefined;
  const worker = async () => {
    while (!last) {
      const n = begun.get(operation) ?? 0;
      begun.set(operation, n + 1);
      await write(n);
      done++;
      const now = performance.now();
      if (!first && done >= connections && now - started >= LEAD_IN_MS) first = momentOf(now, done);
      else if (first && !last && now - first.now >= milliseconds) last = momentOf(now, done);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return {
    count: last!.done - first!.done,
    seconds: (last!.now - first!.now) / 1_000,
    cpuSeconds: last!.cpuSeconds - first!.cpuSeconds,
  };
}

/** The end of a write, after which `done` writes have ended. */
interface Moment {
  now: number;
  done: number;
  cpuSeconds: number;
}

function momentOf(now: number, done: number): Moment {
  const { user, system } = process.cpuUsage();
  return { now, done, cpuSeconds: (user + system) / 1e6 };
}
