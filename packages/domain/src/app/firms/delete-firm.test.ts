import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachmentPath } from '@firmdesk/contract';
import { createTicket, createUser, createWorkspace } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway } from '@firmdesk/testing/gateway';
import sharp from 'sharp';
import { afterAll, expect, test, vi } from 'vitest';
import { withTransaction } from '../../platform/database/transaction.ts';
import { folderStore } from '../../platform/objects/folder-store.ts';
import { startWorkers } from '../jobs.ts';
import { distributeNewTable } from '../migrations/new-firm-table.ts';
import { deleteFirm } from './delete-firm.ts';
import { deleteDueFirms } from './schedule-deletion.ts';
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
    ticket,
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

test('the trail of a firm ends only after the trail of the platform says that the firm is deleted', async () => {
  const { firm, suspend } = await createFirmWithTicket();
  await suspend();
  const { pool } = services;
  const trail = async () =>
    (await pool.query('select action from audit_events where workspace_id = $1', [firm.id])).rows.length;
  const kept = await trail();
  const end = (id: number) => pool.query('select delete_audit_events($1, 10)', [id]);
  await pool.query('update workspaces set deletion_started_at = now() where id = $1', [firm.id]);
  await expect(end(firm.id)).rejects.toThrow('has not begun');
  // An event of another firm that had the name.
  await pool.query(
    `insert into audit_events (workspace_id, created_at, actor_kind, action, target_type, target_id, after)
     select id, now(), 'system', 'firm.deletion_started', 'firm', $1, '{"firm": 0}' from workspaces where slug = 'platform'`,
    [firm.slug],
  );
  await expect(end(firm.id)).rejects.toThrow('has not begun');
  // The event of a firm that has taken the name of the platform.
  const rename = (from: string, to: string) =>
    pool.query('update workspaces set slug = $2 where slug = $1', [from, to]);
  const other = await createWorkspace(services);
  await rename('platform', 'hidden');
  await rename(other.slug, 'platform');
  await pool.query(
    `insert into audit_events (workspace_id, created_at, actor_kind, action, target_type, target_id, after)
     values ($1, now(), 'system', 'firm.deletion_started', 'firm', $2, jsonb_build_object('firm', $3::integer))`,
    [other.id, firm.slug, firm.id],
  );
  await expect(end(firm.id)).rejects.toThrow('has not begun');
  await rename('platform', other.slug);
  await rename('hidden', 'platform');
  await expect(pool.query('delete from workspaces where id = $1', [firm.id])).rejects.toThrow('foreign key');
  expect(kept).toBeGreaterThan(0);
  expect(await trail()).toBe(kept);
  await deleteFirm(services, firm.slug, { actor });
  expect(await trail()).toBe(0);
});

test('a firm that cannot be deleted does not delay the next one', async () => {
  const [stuck, next] = [await createFirmWithTicket(), await createFirmWithTicket()];
  const { pool, clock } = services;
  const due = clock.now().getTime() - 60_000;
  for (const [{ suspend, firm }, at] of [
    [stuck, due - 1_000],
    [next, due],
  ] as const) {
    await suspend();
    await pool.query('update workspaces set deletion_due_at = $2 where id = $1', [firm.id, new Date(at)]);
  }
  await pool.query('create table refused (workspace_id integer, ticket_id text)');
  await pool.query(distributeNewTable('refused'));
  await pool.query(
    'alter table refused add constraint stuck foreign key (workspace_id, ticket_id) references tickets (workspace_id, id)',
  );
  await pool.query('insert into refused values ($1, $2)', [stuck.firm.id, stuck.ticket]);
  const remaining = async () =>
    (await pool.query('select id from workspaces where id = any($1)', [[stuck.firm.id, next.firm.id]])).rows;
  await expect(deleteDueFirms(services)).rejects.toThrow('stuck');
  expect(await remaining()).toEqual([{ id: stuck.firm.id }]);
  expect(gateway.log.lines.splice(0).filter(({ level }) => level === 'error')).toMatchObject([
    { fields: { workspace: stuck.firm.slug } },
  ]);
  await pool.query('drop table refused');
  await deleteDueFirms(services);
  expect(await remaining()).toEqual([]);
});
