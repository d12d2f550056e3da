import type { Notification } from '@firmdesk/contract';
import { createUser, createWorkspace, openTestServices, type TestServices } from '@firmdesk/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { withTransaction } from '../platform/database/transaction.ts';
import { countUnreadNotifications } from './count-unread-notifications.ts';
import { listNotifications } from './list-notifications.ts';
import { markRead } from './mark-read.ts';
import { raiseNotification } from './raise-notification.ts';

let base: TestServices;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
});
afterAll(() => base[Symbol.asyncDispose]());

/** Creates an account, and the operations of its notification centre. */
async function openCentre() {
  const { services, clock } = base;
  const workspace = await createWorkspace(services);
  const user = await createUser(services, { firm: workspace, permissions: ['view_tickets'] });
  const run = <T>(operation: (ctx: Parameters<typeof listNotifications>[0]) => Promise<T>) =>
    withTransaction(services, (ctx) => operation({ ...ctx, identity: { user }, workspace }));
  return {
    /** Raises a notification this long after the previous one. With 0 they have the same time. */
    raise(milliseconds: number): Promise<string> {
      clock.advance(milliseconds);
      return run(async (ctx) => {
        const notification = {
          workspace,
          kind: 'ticket_awaiting_admin',
          title: 'T',
          actionUrl: '/t',
          to: [user.id],
        } as const;
        return (await raiseNotification(ctx, notification))[0]!.id;
      });
    },
    list: (input: { unread: boolean; limit: number; starting_after: string | undefined }) =>
      run((ctx) => listNotifications(ctx, input)),
    mark: (ids: string[]) => run((ctx) => markRead(ctx, { ids })),
    unread: () => run(countUnreadNotifications),
  };
}

const gaps = (most: number) => fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: most });

test('paging shows each notification once, newest first, while others arrive and are read', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        before: gaps(12),
        readBefore: fc.array(fc.nat(11), { maxLength: 6 }),
        limit: fc.integer({ min: 1, max: 5 }),
        unread: fc.boolean(),
        /** Changes between two pages: notifications that arrive, and whether the last one shown is marked read. */
        between: fc.array(fc.record({ arrive: gaps(3), readLast: fc.boolean() }), {
          minLength: 1,
          maxLength: 4,
        }),
      }),
      async ({ before, readBefore, limit, unread, between }) => {
        const centre = await openCentre();
        const ids: string[] = [];
        for (const gap of before) ids.push(await centre.raise(gap));
        const read = new Set(readBefore.flatMap((at) => ids[at] ?? []));
        if (read.size > 0) await centre.mark([...read]);
        expect(await centre.unread()).toBe(ids.length - read.size);
        // Later arrivals are newer than everything on the pages.
        await centre.raise(1);

        const seen: Notification[] = [];
        let cursor: string | undefined;
        for (let pages = 0; ; pages++) {
          const { data, meta } = await centre.list({ unread, limit, starting_after: cursor });
          seen.push(...data);
          expect(meta.has_more).toBe(meta.next_cursor !== null);
          expect(data.length).toBe(meta.has_more ? limit : data.length);
          if (meta.next_cursor === null) break;
          expect(meta.next_cursor).toBe(data.at(-1)!.id);
          cursor = meta.next_cursor;
          const { arrive, readLast } = between[pages % between.length]!;
          for (const gap of arrive) await centre.raise(gap + 1);
          // The cursor's row no longer matches the filter; the next page starts after its position.
          if (readLast) await centre.mark([cursor]);
        }
        const expected = unread ? ids.filter((id) => !read.has(id)) : ids;
        expect(
          seen
            .map(({ id }) => id)
            .filter((id) => ids.includes(id))
            .sort(),
        ).toEqual(expected.toSorted());
        expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
        const order = seen.map(({ created_at, id }) => `${created_at} ${id}`);
        expect(order).toEqual(order.toSorted().reverse());
      },
    ),
    { numRuns: 40 },
  );
});
