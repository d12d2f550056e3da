import { expect, vi } from 'vitest';
import type { TestGateway } from './test-gateway.ts';

/** A ticket whose row is locked, so that a test decides the order in which others get it: that in which they came. */
export interface BlockedTicket extends AsyncDisposable {
  /** Resolves when so many transactions wait for a lock. */
  waiters(count: number): Promise<void>;
  letGo(): Promise<void>;
}

export async function blockTicket({ services }: TestGateway, ticket: string): Promise<BlockedTicket> {
  const client = await services.pool.connect();
  await client.query('begin');
  await client.query('select from tickets where id = $1 for update', [ticket]);
  let isHeld = true;
  const letGo = async () => {
    if (!isHeld) return;
    isHeld = false;
    await client.query('rollback');
    client.release();
  };
  return {
    async waiters(count) {
      const waiting = `
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await vi.waitFor(async () => expect((await services.pool.query(waiting)).rows[0].count).toBe(count), {
        timeout: 10_000,
      });
    },
    letGo,
    [Symbol.asyncDispose]: letGo,
  };
}
