import type pg from 'pg';
import { sqlState } from '../database/database-errors.ts';
import { delay } from '../process/delay.ts';

/** All connections that the server allows, for everyone or for this account or database, are in use. */
const TOO_MANY_CONNECTIONS = '53300';
const POLL_MS = 100;

type OnConnected = (
  error?: Error,
  client?: pg.PoolClient,
  release?: (error?: Error | boolean) => void,
) => void;

/**
 * Lets the pool wait while the server has no free connection, for the time that its users wait for a connection. A connection of the pool
 * that becomes free meanwhile serves as well.
 */
export function waitForSlots(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (callback: OnConnected) => void;
  const limitMs = pool.options.connectionTimeoutMillis ?? 0;
  const connectWhenFree = (callback: OnConnected) => {
    const startedAt = performance.now();
    const attempt = () =>
      connect((error, client, release) => {
        const waits = isFull(error) && performance.now() - startedAt < limitMs && !pool.ending;
        if (waits) setTimeout(attempt, POLL_MS);
        else callback(error, client, release);
      });
    attempt();
  };
  pool.connect = ((callback?: OnConnected) => {
    if (callback) return connectWhenFree(callback);
    return new Promise<pg.PoolClient>((resolve, reject) => {
      connectWhenFree((error, client) => (client ? resolve(client) : reject(error)));
    });
  }) as pg.Pool['connect'];
}

/** Connects a client, and waits while the server has no free connection. A client connects only once, so each attempt creates one. */
export async function connectWhenFree(create: () => pg.Client, limitMs: number): Promise<pg.Client> {
  const startedAt = performance.now();
  for (;;) {
    const client = create();
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (!isFull(error) || performance.now() - startedAt > limitMs) throw error;
      await delay(POLL_MS);
    }
  }
}

function isFull(error: unknown): boolean {
  return sqlState(error) === TOO_MANY_CONNECTIONS;
}
