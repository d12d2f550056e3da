import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { attachmentPath, MAX_ATTACHMENT_BYTES, MAX_UNSENT_ATTACHMENTS } from '@firmdesk/contract';
import { folderStore } from '@firmdesk/domain';
import {
  attachmentCalls,
  createAttachmentFixture,
  errorCodeOf,
  isStored,
  PNG,
  suiteGateway,
  type UserWithToken,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { isUploading } from './attachments.ts';

const gateway = await suiteGateway();
const { services } = gateway;
let agent: UserWithToken;
let colleague: UserWithToken;
let ticket: string;
const { rpc, announce, call, put } = attachmentCalls(gateway, () => ({ agent, ticket }));

beforeEach(async () => {
  ({ agent, colleague, ticket } = await createAttachmentFixture(gateway));
});

/** Begins an upload of the agent on a new connection, whose content the test sends. */
function begin(id: string, size: number) {
  return httpRequest(gateway.url + attachmentPath(agent.firm.slug, id), {
    method: 'PUT',
    headers: { authorization: `Bearer ${agent.token}`, 'content-length': size },
    // As browsers do.
    agent: new Agent({ keepAlive: true }),
  });
}

describe('an upload', () => {
  test.each<[name: string, content: string, isProgram?: boolean]>([
    ['trades.csv', 'date;profit'],
    ['page.png', '<!DOCTYPE html><script>alert(1)</script>'],
    ['logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['run.pdf', 'MZ\x90\x00', true],
    ['statement.docx', '\x7fELF\x02', true],
    ['notes.txt', '#!/bin/sh\nrm -rf ~', true],
    ['photo.jpg', '\xcf\xfa\xed\xfe', true],
    ['Invoice.pdf', 'L\x00\x00\x00\x01\x14\x02\x00', true],
  ])('can be of any type, which its content decides: %s', async (name, text, isProgram) => {
    const content = Buffer.from(text, 'latin1');
    const id = await announce(content.length, { name });
    expect((await put(id, content)).status).toBe(204);
    const answer = await call('GET', id);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment;/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/; sandbox$/),
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
    const { data } = await rpc('tickets.reply', { ticket, body: '', attachments: [id] });
    expect(data.attachments).toEqual([
      {
        ...{ id, name, type: 'application/octet-stream', size: content.length, deleted: false },
        ...(isProgram && { program: true }),
      },
    ]);
  });

  test.each(['gzip', 'GZIP', 'br', 'identity, gzip', 'unknown'])(
    'is stored as it is sent: not with the coding %s',
    async (coding) => {
      const id = await announce(PNG.length);
      const send = (headers: Record<string, string>) =>
        call('PUT', id, agent, { headers, body: new Uint8Array(PNG) });
      const answer = await send({ 'content-encoding': coding });
      expect([answer.status, answer.headers.get('accept-encoding')]).toEqual([415, 'identity']);
      expect(await errorCodeOf(answer)).toBe('unsupported_media_type');
      expect((await send({ 'content-encoding': 'identity' })).status).toBe(204);
    },
  );

  test('must have the announced size, of at most 25 MB', async () => {
    for (const size of [0, MAX_ATTACHMENT_BYTES + 1])
      expect((await rpc('attachments.create', { ticket, name: 'a.png', size })).code).toBe(
        'validation_failed',
      );
    const id = await announce(PNG.length + 1);
    expect(await errorCodeOf(await put(id, PNG))).toBe('validation_failed');
    const chunked = await call('PUT', id, agent, {
      body: new Blob([PNG]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(await errorCodeOf(chunked)).toBe('validation_failed');
  });

  test('can be repeated after it was interrupted', async () => {
    const content = Buffer.concat([PNG, Buffer.alloc(5_000_000)]);
    const id = await announce(content.length);
    const written = vi.spyOn(services.objects, 'write');
    const half = begin(id, content.length);
    half.on('error', () => {});
    half.write(content.subarray(0, 2_000_000));
    await expect.poll(() => written.mock.calls.length, { timeout: 30_000 }).toBe(1);
    written.mockRestore();
    half.destroy();
    expect((await call('GET', id)).status).toBe(404);
    expect((await put(id, content)).status).toBe(204);
    const read = Buffer.from(await (await call('GET', id)).arrayBuffer());
    expect(read.equals(content)).toBe(true);
  });

  test.each<[bytes: string, isSame: boolean]>([
    ['other bytes is rejected', false],
    ['the same bytes is accepted', true],
  ])('that ends after another one replaces nothing; with %s', async (_bytes, isSame) => {
    const written = vi.spyOn(services.objects, 'write');
    const first = Buffer.concat([PNG, Buffer.alloc(10_000, 'first')]);
    const late = isSame ? first : Buffer.concat([PNG, Buffer.alloc(10_000, 'late')]);
    const id = await announce(first.length);
    const slow = begin(id, late.length);
    const answered = once(slow, 'response') as Promise<[IncomingMessage]>;
    slow.write(late.subarray(0, 8_000));
    await expect.poll(() => written.mock.calls.length, { timeout: 30_000 }).toBe(1);
    expect((await put(id, first)).status).toBe(204);
    await rpc('tickets.reply', { ticket, body: '', attachments: [id] });
    slow.end(late.subarray(8_000));
    const [answer] = await answered;
    answer.resume();
    expect(answer.statusCode).toBe(isSame ? 204 : 422);
    expect(Buffer.from(await (await call('GET', id, colleague)).arrayBuffer()).equals(first)).toBe(true);
    const keys = written.mock.calls.map(([key]) => key);
    written.mockRestore();
    const stored = await Promise.all(keys.map((key) => isStored(services, key)));
    expect(stored).toEqual([false, true]);
  });

  test.each([
    ['the membership', 'admin_access_required', 'update memberships set active = false where user_id = $1'],
    ['a permission', 'forbidden', `update memberships set permissions = '{view_tickets}' where user_id = $1`],
    ['the tokens', 'revoked_token', 'update tokens set revoked_at = now() where user_id = $1'],
    ['the account', 'revoked_token', 'update users set deactivated_at = now() where id = $1'],
  ])('that ends after the loss of %s is not stored', async (_loss, code, statement) => {
    const id = await announce(PNG.length);
    const slow = begin(id, PNG.length);
    const answered = once(slow, 'response') as Promise<[IncomingMessage]>;
    slow.write(PNG.subarray(0, 10));
    const row = () => services.pool.query('select content, uploads from attachments where id = $1', [id]);
    await services.pool.query(statement, [agent.user.id]);
    slow.end(PNG.subarray(10));
    const [answer] = await answered;
    expect(JSON.parse(await text(answer)).error.code).toBe(code);
    expect((await row()).rows).toEqual([{ content: null, uploads: [] }]);
  });

  test('may take longer than other requests', async () => {
    const id = await announce(PNG.length);
    const connected = once(gateway.app.server, 'connection') as Promise<[Socket]>;
    const slow = begin(id, PNG.length);
    const answered = once(slow, 'response');
    slow.write(PNG.subarray(0, 10));
    const [socket] = await connected;
    const timedOut = Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    // Node reports a request that has not arrived after a minute in this way.
    await expect.poll(() => isUploading(socket), { timeout: 30_000 }).toBe(true);
    gateway.app.server.emit('clientError', timedOut, socket);
    slow.end(PNG.subarray(10));
    const [answer] = await answered;
    expect(answer.statusCode).toBe(204);
  });

  test('is received whole also if the store fails before it reads', async () => {
    // More than the buffers of a connection hold. Browsers read the answer only when they have sent all of it.
    const content = Buffer.concat([PNG, Buffer.alloc(20_000_000)]);
    const id = await announce(content.length);
    const { objects } = services;
    services.objects = folderStore('/dev/null');
    const request = begin(id, content.length);
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    const sent = once(request, 'finish');
    request.end(content);
    const [answer] = await answered;
    services.objects = objects;
    answer.resume();
    expect(answer.statusCode).toBe(503);
    await sent;
    expect(gateway.log.lines.splice(0).filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  test('that is rejected has the same time limit for its rest, which is awaited', async () => {
    const size = 1_000_000;
    const id = await announce(size + 1);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    const connected = once(gateway.app.server, 'connection') as Promise<[Socket]>;
    const slow = begin(id, size);
    slow.on('error', () => {});
    const answered = once(slow, 'response') as Promise<[IncomingMessage]>;
    slow.write(Buffer.alloc(10_000, 'text'));
    const [answer] = await answered;
    answer.resume();
    expect(answer.statusCode).toBe(422);
    const index = timers.mock.calls.findIndex(([, milliseconds]) => milliseconds === 600_000);
    const [stop] = timers.mock.calls[index]!;
    const hasEnded = () => cleared.mock.calls.some(([timer]) => timer === timers.mock.results[index]!.value);
    expect(hasEnded()).toBe(false);
    stop();
    const [socket] = await connected;
    await expect.poll(() => socket.destroyed).toBe(true);
    await expect.poll(hasEnded).toBe(true);
    timers.mockRestore();
    cleared.mockRestore();
  });

  test('is refused when too many files of the account wait to be sent', async () => {
    await services.pool.query(
      `insert into attachments (workspace_id, id, ticket_id, uploader_id, name, size, created_at)
       select $1, 'att_' || n, $2, $3, 'a.png', 4, now() from generate_series(1, $4) n`,
      [agent.firm.id, ticket, agent.user.id, MAX_UNSENT_ATTACHMENTS - 1],
    );
    const last = await announce(4);
    const answer = await rpc('attachments.create', { ticket, name: 'a.png', size: 4 });
    expect([answer.status, answer.code]).toEqual([409, 'attachment_limit_reached']);
    await rpc('attachments.remove', { id: last });
    await announce(4);
  });
});
