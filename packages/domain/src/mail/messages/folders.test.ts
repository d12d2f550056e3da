import { type Folder, filingFolders, type MailListRow } from '@firmdesk/contract';
import {
  createMailbox,
  createMailMessage,
  createUser,
  createWorkspace,
  openTestServices,
  type TestServices,
} from '@firmdesk/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { withTransaction } from '../../platform/database/transaction.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { deleteDraft } from '../drafts/delete-draft.ts';
import type { ReaderContext } from '../mailboxes/mailbox-access.ts';
import { listMessages } from './list-messages.ts';
import { moveMessages } from './move-messages.ts';
import { restoreMessage } from './restore-message.ts';

let base: TestServices;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
});
afterAll(() => base[Symbol.asyncDispose]());

/** Creates a mailbox, and the operations of its only reader. */
async function openMailbox() {
  const workspace = await createWorkspace(base.services);
  const user = await createUser(base.services, { firm: workspace });
  const mailbox = await createMailbox(base.services, { firm: workspace, writes: [user] });
  const run = <T>(operation: (ctx: ReaderContext) => Promise<T>) =>
    withTransaction(base.services, (ctx) => operation({ ...ctx, workspace, identity: { user } }));
  return {
    create: (folder: Folder, messageAt?: string) =>
      createMailMessage(base.services, { mailbox, folder, ...(messageAt && { messageAt }) }).then(
        ({ id }) => id,
      ),
    move: (id: string, to: (typeof filingFolders)[number]) =>
      run((ctx) => moveMessages(ctx, { ids: [id], to })),
    restore: (id: string) => run((ctx) => restoreMessage(ctx, { id, conversation: false })),
    delete: (id: string) => run((ctx) => deleteDraft(ctx, { id })),
    page: (folder: Folder, limit: number, starting_after?: string) =>
      run((ctx) =>
        listMessages(ctx as AccountContext, {
          address_id: mailbox.id,
          folder,
          unread: false,
          limit,
          ...(starting_after && { starting_after }),
        }),
      ),
  };
}

/** One of six times, so that many messages share one. */
const messageTime = fc.integer({ min: 0, max: 5 }).map((micros) => `2026-01-01T00:00:00.00000${micros}Z`);

test('a page walk shows each remaining message exactly once while others are added, moved and deleted', async () => {
  const folderChange = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), at: messageTime }),
    fc.record({ kind: fc.constant('delete' as const), which: fc.nat() }),
    fc.record({ kind: fc.constant('move' as const), which: fc.nat() }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(messageTime, { minLength: 1, maxLength: 12 }),
      fc.array(fc.array(folderChange, { maxLength: 3 }), { maxLength: 6 }),
      fc.integer({ min: 1, max: 4 }),
      async (moments, changes, limit) => {
        const box = await openMailbox();
        const staying = new Set<string>();
        for (const at of moments) staying.add(await box.create('drafts', at));
        const seen: MailListRow[] = [];
        let cursor: string | null | undefined;
        for (let step = 0; cursor !== null; step++) {
          const { data, meta } = await box.page('drafts', limit, cursor);
          seen.push(...data);
          cursor = meta.next_cursor;
          for (const change of changes[step] ?? []) {
            if (change.kind === 'add') {
              await box.create('drafts', change.at);
              continue;
            }
            const id = [...staying][change.which % Math.max(staying.size, 1)];
            if (id === undefined) continue;
            staying.delete(id);
            await (change.kind === 'delete' ? box.delete(id) : box.move(id, 'trash'));
          }
        }
        const ids = seen.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toEqual(expect.arrayContaining([...staying]));
        const order = seen.map(({ message_at, id }) => `${message_at} ${id}`);
        expect(order).toEqual(order.toSorted().toReversed());
      },
    ),
    { numRuns: 25 },
  );
});

test('restores a message to a folder where it has been, after any moves, and a second restore changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<Folder>('inbox', 'sent', 'drafts', 'archive', 'spam'),
      fc.array(fc.constantFrom(...filingFolders), { maxLength: 6 }),
      async (origin, moves) => {
        const box = await openMailbox();
        const id = await box.create(origin);
        const folders = new Set<Folder>([origin, 'inbox']);
        for (const to of moves) {
          await box.move(id, to);
          if (origin !== 'drafts' || to === 'trash') folders.add(to);
        }
        const row = await box.restore(id);
        expect(folders).toContain(row.folder);
        expect(['inbox', 'sent', 'drafts', 'archive']).toContain(row.folder);
        expect(row.previous_folder).toBeNull();
        expect(await box.restore(id)).toEqual(row);
        if (origin === 'drafts') expect(row.folder).toBe('drafts');
      },
    ),
    { numRuns: 40 },
  );
});
