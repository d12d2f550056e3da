import { expect, vi } from 'vitest';
import type { TestGateway } from './test-gateway.ts';

/** A lock on the row of a ticket. Other transactions that lock the row wait for it, and get it in the order in which they asked. */
export interface TicketRowLock extends AsyncDisposable {
  /** Resolves when `count` transactions of the database wait for a lock. */
  waitForWaiters(count: number): Promise<void>;
  release(): Promise<void>;
}

/** Locks the row until `release` or disposal. */
export async function lockTicketRow({ services }: TestGateway, ticket: string): Promise<TicketRowLock> {
  const client = await services.pool.connect();
  await client.query('begin');
  await client.query('select from tickets where id = $1 for update', [ticket]);
  let isHeld = true;
  const release = async () => {
    if (!isHeld) return;
    isHeld = false;
    await client.query('rollback');
    client.release();
  };
  return {
    async waitForWaiters(count) {
      const waiting = `
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await vi.waitFor(async () => expect((await services.pool.query(waiting)).rows[0].count).toBe(count), {
        timeout: 10_000,
      });
    },
    release,
    [Symbol.asyncDispose]: release,
  };
}
