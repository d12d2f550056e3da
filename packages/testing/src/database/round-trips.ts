import type { Services } from '@firmdesk/domain';
import type { PoolClient } from 'pg';

/**
 * Counts the round trips to PostgreSQL of a process's pools: how often the server reports that it is ready for the next
 * statement. Returns a function that returns the count.
 */
export function countRoundTrips({ pool, searchPool }: Pick<Services, 'pool' | 'searchPool'>): () => number {
  let count = 0;
  const counted = new WeakSet<PoolClient>();
  for (const each of [pool, searchPool]) {
    each.on('acquire', (client) => {
      if (counted.has(client)) return;
      counted.add(client);
      client.on('drain', () => void count++);
    });
  }
  return () => count;
}
