import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachmentPath } from '@firmdesk/contract';
import { createTicket, createUser } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway } from '@firmdesk/testing/gateway';
import sharp from 'sharp';
import { afterAll, expect, test, vi } from 'vitest';
import { withTransaction } from '../../platform/database/transaction.ts';
import { folderStore } from '../../platform/objects/folder-store.ts';
import { startWorkers } from '../jobs.ts';
import { deleteFirm } from './delete-firm.ts';
import { suspendFirm } from './suspend-firm.ts';

const folder = await mkdtemp(join(tmpdir(), 'firmdesk-deleted-'));
afterAll(() => rm(folder, { recursive: true }));
const gateway = await suiteGateway({ objects: folderStore(folder) });
const { services } = gateway;

const actor = { kind: 'operator', id: 'test' } as const;
const image = await sharp(randomBytes(700 * 700 * 3), { raw: { width: 700, height: 700, channels: 3 } })
  .png()
  .toBuffer();

/** Creates a firm with a ticket, and functions to announce files of it and to call them. */
async function createFirmWithTicket() {
  const { firm, token } = await createUserWithToken(gateway, {
    permissions: ['view_tickets', 'manage_tickets'],
  });
  const trader = await createUser(services, { firm, role: 'trader' });
  const ticket = await createTicket(services, { firm, trader, messages: [{ body: 'Where is it?' }] });
  const body = { ticket, name: 'a.png', size: image.length };
  const call = (id: string, init: RequestInit & { duplex?: 'half' }) =>
    fetch(`${gateway.url}${attachmentPath(firm.slug, id)}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-length': String(image.length) },
    });
  return {
    firm,
    token,
    announce: async () => (await gateway.rpc('attachments.create', { token, body })).data.id as string,
    call,
    /** Uploads the image, the rest of it when `resumed` resolves. */
    uploadSlowly(id: string, resumed: Promise<void>) {
      async function* slowly() {
        yield image.subarray(0, 100_000);
        await resumed;
        yield image.subarray(100_000);
      }
      const content = slowly() as unknown as NonNullable<RequestInit['body']>;
      return call(id, { method: 'PUT', body: content, duplex: 'half' });
    },
    suspend: () => withTransaction(services, (ctx) => suspendFirm({ ...ctx, actor }, firm.slug)),
  };
}

test.each<[when: string, endsAfter: 'contents' | 'firm']>([
  ['between its content and its row', 'contents'],
  ['after the firm', 'firm'],
])(
  'an upload to a folder that is deleted meanwhile gets 404 and leaves no file: ends %s',
  async (_when, endsAfter) => {
    const { firm, announce, uploadSlowly, suspend } = await createFirmWithTicket();
    const id = await announce();
    const { promise: isDeleted, resolve: setDeleted } = Promise.withResolvers<void>();
    const upload = uploadSlowly(id, isDeleted);
    const files = async () =>
      (await readdir(folder, { recursive: true })).filter((name) => name.includes(id));
    await expect.poll(async () => (await files()).some((name) => name.includes('part-'))).toBe(true);
    await suspend();
    const remove = services.objects.delete;
    const removing = vi.spyOn(services.objects, 'delete').mockImplementationOnce(async (keys) => {
      await remove(keys);
      if (endsAfter === 'firm') return;
      setDeleted();
      await upload;
    });
    await deleteFirm(services, firm.slug, { actor });
    setDeleted();
    const answer = await upload;
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      { error: { code: 'resource_not_found' } },
    ]);
    removing.mockRestore();
    expect(await files()).toEqual([]);
  },
);

test('files that are written during the deletion of their firm are deleted after it', async () => {
  const { firm, token, announce, call, uploadSlowly, suspend } = await createFirmWithTicket();
  const [shown, late] = [await announce(), await announce()];
  expect((await call(shown, { method: 'PUT', body: new Uint8Array(image) })).status).toBe(204);

  const { promise: isDeleted, resolve: setDeleted } = Promise.withResolvers<void>();
  const { write } = services.objects;
  const writing = vi.spyOn(services.objects, 'write').mockImplementation(async (key, content, size) => {
    await isDeleted;
    await write(key, content, size);
  });
  const upload = uploadSlowly(late, isDeleted);
  const thumbnail = fetch(`${gateway.url}${attachmentPath(firm.slug, shown)}?size=small`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await expect.poll(() => writing.mock.calls.length).toBe(2);

  await suspend();
  await deleteFirm(services, firm.slug, { actor });
  setDeleted();
  expect((await upload).status).toBe(404);
  await (await thumbnail).arrayBuffer();
  const stored = async () => {
    const contents = await Promise.all(writing.mock.calls.map(([key]) => services.objects.read(key)));
    for (const content of contents) content?.destroy();
    return contents.filter((content) => content !== null).length;
  };
  expect(await stored()).toBeGreaterThan(0);

  const { rowCount } = await services.pool.query(
    `update job_requests set run_at = now()
     where task = 'firms.delete_files' and payload::jsonb @> $1 and run_at > now() + interval '10 minutes'`,
    [{ firms: [firm.id] }],
  );
  expect(rowCount).toBe(1);
  const worker = await startWorkers(services);
  await expect.poll(stored, { timeout: 30_000 }).toBe(0);
  await worker.stop();
});
