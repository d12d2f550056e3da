import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachmentPath } from '@firmdesk/contract';
import sharp from 'sharp';
import { afterAll, expect, test, vi } from 'vitest';
import { folderStore } from '../../platform/objects/folder-store.ts';
import { withTransaction } from '../../platform/transaction.ts';
import { createUserWithToken, suiteGateway } from '../../testing/gateway.ts';
import { createTicket, createUser } from '../../testing/index.ts';
import { startWorkers } from '../jobs.ts';
import { deleteFirm } from './delete-firm.ts';
import { suspendFirm } from './suspend-firm.ts';

const folder = await mkdtemp(join(tmpdir(), 'firmdesk-deleted-'));
afterAll(() => rm(folder, { recursive: true }));
const gateway = await suiteGateway({ objects: folderStore(folder) });
const { services } = gateway;

test('files that are written during the deletion of their firm are deleted after it', async () => {
  const { firm, token } = await createUserWithToken(gateway, {
    permissions: ['view_tickets', 'manage_tickets'],
  });
  const trader = await createUser(services, { firm, role: 'trader' });
  const ticket = await createTicket(services, { firm, trader, messages: [{ body: 'Where is it?' }] });
  const image = await sharp(randomBytes(700 * 700 * 3), { raw: { width: 700, height: 700, channels: 3 } })
    .png()
    .toBuffer();
  const announce = async () =>
    (
      await gateway.rpc('attachments.create', {
        token,
        body: { ticket, name: 'a.png', size: image.length },
      })
    ).data.id;
  const call = (id: string, init: RequestInit & { duplex?: 'half' }) =>
    fetch(`${gateway.url}${attachmentPath(firm.slug, id)}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-length': String(image.length) },
    });
  const [shown, late] = [await announce(), await announce()];
  expect((await call(shown, { method: 'PUT', body: new Uint8Array(image) })).status).toBe(204);

  const { promise: isDeleted, resolve: setDeleted } = Promise.withResolvers<void>();
  const { write } = services.objects;
  const writing = vi.spyOn(services.objects, 'write').mockImplementation(async (key, content, size) => {
    await isDeleted;
    await write(key, content, size);
  });
  async function* slowly() {
    yield image.subarray(0, 100_000);
    await isDeleted;
    yield image.subarray(100_000);
  }
  const upload = call(late, {
    method: 'PUT',
    body: slowly() as unknown as NonNullable<RequestInit['body']>,
    duplex: 'half',
  });
  const thumbnail = fetch(`${gateway.url}${attachmentPath(firm.slug, shown)}?size=small`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await expect.poll(() => writing.mock.calls.length).toBe(2);

  const actor = { kind: 'operator', id: 'test' } as const;
  await withTransaction(services, (ctx) => suspendFirm({ ...ctx, actor }, firm.slug));
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
    `update job_requests set run_at = now() where task = 'firms.delete_files' and run_at > now() + interval '10 minutes'`,
  );
  expect(rowCount).toBe(1);
  const worker = await startWorkers(services);
  await expect.poll(stored, { timeout: 30_000 }).toBe(0);
  await worker.stop();
});
