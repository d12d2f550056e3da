import { sqlState } from '../database/database-errors.ts';
import { delay } from '../process/delay.ts';

/** All connections that the server allows, for everyone or for this account or database, are in use. */
const TOO_MANY_CONNECTIONS = '53300';
const POLL_MS = 100;

/** Connects, and tries again for this time while the server has no free connection. */
export async function whenFree<T>(connect: () => Promise<T>, limitMs: number): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      const isFull = sqlState(error) === TOO_MANY_CONNECTIONS;
      if (!isFull || performance.now() - startedAt > limitMs) throw error;
      await delay(POLL_MS);
    }
  }
}
