import { expect, vi } from 'vitest';
import { countLockWaiters } from '../database/database.ts';
import type { TestGateway } from './test-gateway.ts';

/** A lock on the row of a ticket. Other transactions that lock the row wait for it, and get it in the order in which they asked. */
export interface TicketRowLock extends AsyncDisposable {
  /** Resolves when `count` transactions of the database wait for a lock. */
  waitForWaiters(count: number): Promise<void>;
  release(): Promise<void>;
}

/** Locks the row of a firm's ticket until `release` or disposal. */
export async function lockTicketRow(
  { services, databaseUrl }: TestGateway,
  firm: { id: number },
  ticket: string,
): Promise<TicketRowLock> {
  const client = await services.pool.connect();
  await client.query('begin');
  await client.query('select from tickets where workspace_id = $1 and id = $2 for update', [firm.id, ticket]);
  let isHeld = true;
  const release = async () => {
    if (!isHeld) return;
    isHeld = false;
    await client.query('rollback');
    client.release();
  };
  return {
    async waitForWaiters(count) {
      await vi.waitFor(async () => expect(await countLockWaiters(databaseUrl)).toBe(count), {
        timeout: 10_000,
      });
    },
    release,
    [Symbol.asyncDispose]: release,
  };
}
