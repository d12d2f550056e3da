import type { Services } from '@firmdesk/domain';
import type { PoolClient } from 'pg';

/**
 * Counts the statements that the pools of a process send, without those of all firms, which it sends by itself every second. Returns a
 * function that returns the count.
 */
export function countQueries({ pool, searchPool }: Services): () => number {
  let count = 0;
  const counted = new WeakSet<PoolClient>();
  for (const each of [pool, searchPool]) {
    each.on('acquire', (client) => {
      if (counted.has(client)) return;
      counted.add(client);
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((...args: unknown[]) => {
        const [statement] = args as [string | { text?: string }];
        const text = typeof statement === 'string' ? statement : statement.text;
        if (!text?.includes('/* all firms: ')) count++;
        return query(...args);
      }) as PoolClient['query'];
    });
  }
  return () => count;
}
