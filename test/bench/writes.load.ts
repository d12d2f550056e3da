import { openByHand } from './writes/by-hand.ts';
import type { Write, WriteOperation, WritesTarget } from './writes/data.ts';
import { openOperations } from './writes/operations.ts';

export interface LoadRequest {
  operation: WriteOperation;
  connections: number;
  milliseconds: number;
}

export type LoadResult = { count: number; seconds: number } | { error: string };

let writes: Record<WriteOperation, Write>;
let next = 0;

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
  let count = 0;
  const worker = async () => {
    while (performance.now() - started < milliseconds) {
      await write(next++);
      count++;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return { count, seconds: (performance.now() - started) / 1_000 };
}
