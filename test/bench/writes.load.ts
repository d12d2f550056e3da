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

/** Runs as many writes at a time as there are connections. */
async function load({ operation, connections, milliseconds }: LoadRequest): Promise<LoadResult> {
  const write = writes[operation];
  const started = performance.now();
  const cpu = process.cpuUsage();
  let count = 0;
  const worker = async () => {
    while (performance.now() - started < milliseconds) {
      const n = begun.get(operation) ?? 0;
      begun.set(operation, n + 1);
      await write(n);
      count++;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const { user, system } = process.cpuUsage(cpu);
  return { count, seconds: (performance.now() - started) / 1_000, cpuSeconds: (user + system) / 1e6 };
}
