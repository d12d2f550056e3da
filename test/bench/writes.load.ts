import type { Write } from './writes/data.ts';
import { openOperations } from './writes/operations.ts';

export interface LoadRequest {
  connections: number;
  milliseconds: number;
  /** Notifications to 500 accounts that are written meanwhile, one after another. */
  notifications: number;
}

export interface LoadResult {
  perSecond: number;
}

let writes: Awaited<ReturnType<typeof openOperations>>;
let begun = 0;
let notified = 0;

try {
  writes = await openOperations(process.env['DATABASE_URL']!);
  process.send!('ready');
} catch (error) {
  process.send!({ error: String((error as Error).stack) });
}

process.on('message', async (request: LoadRequest) => {
  try {
    const [perSecond] = await Promise.all([
      measureNotes(request),
      notify(request.notifications, writes.notify),
    ]);
    process.send!({ perSecond } satisfies LoadResult);
  } catch (error) {
    process.send!({ error: String((error as Error).stack) });
  }
});

/** Runs as many notes at a time as there are connections. Returns how many committed a second. */
async function measureNotes({ connections, milliseconds }: LoadRequest): Promise<number> {
  const began = performance.now();
  let done = 0;
  const writer = async () => {
    while (performance.now() - began < milliseconds) {
      await writes.note(begun++);
      done++;
    }
  };
  await Promise.all(Array.from({ length: connections }, writer));
  return done / ((performance.now() - began) / 1_000);
}

async function notify(count: number, write: Write): Promise<void> {
  for (let n = 0; n < count; n++) await write(notified++);
}
