import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import {
  attachmentPath,
  MAX_ATTACHMENT_BYTES,
  MAX_UNSENT_ATTACHMENTS,
  UNSENT_ATTACHMENT_DAYS,
} from '@firmdesk/contract';
import {
  CONTENT_IDLE_MS,
  deleteFirm,
  eraseAccount,
  folderStore,
  retentions,
  suspendFirm,
  withTransaction,
} from '@firmdesk/domain';
import { createTicket, createUser, type TestUser } from '@firmdesk/domain/testing';
import sharp from 'sharp';
import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { createUserWithToken, followTicket, suiteGateway, type UserWithToken } from '../testing/index.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const staffed = { permissions: ['view_tickets', 'manage_tickets'] } as const;
let agent: UserWithToken;
let colleague: UserWithToken;
let trader: TestUser;
let ticket: string;

beforeEach(async () => {
  agent = await createUserWithToken(gateway, { permissions: [...staffed.permissions] });
  colleague = await createUserWithToken(gateway, { firm: agent.firm, permissions: [...staffed.permissions] });
  trader = await createUser(services, { firm: agent.firm, role: 'trader' });
  ticket = await createTicket(services, { firm: agent.firm, trader, messages: [{ body: 'Where is it?' }] });
});

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const PDF = Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n');

const rpc = (name: string, body: object, { token }: UserWithToken = agent) =>
  gateway.rpc(name, { token, body: body as Record<string, unknown> });

async function announce(size: number, { name = 'payout.png', by = agent } = {}): Promise<string> {
  const answer = await rpc('attachments.create', { ticket, name, size }, by);
  expect(answer.code).toBe(null);
  return answer.data.id;
}

function call(
  method: string,
  id: string,
  { token, firm }: UserWithToken,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${gateway.url}${attachmentPath(firm.slug, id)}`, {
    method,
    ...init,
    headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
  });
}

const put = (id: string, content: Buffer, by = agent) =>
  call('PUT', id, by, { body: new Uint8Array(content) });
const codeOf = async (answer: Response) => ((await answer.json()) as { error: { code: string } }).error.code;

async function upload(content = PNG, name = 'payout.png'): Promise<string> {
  const id = await announce(content.length, { name });
  expect((await put(id, content)).status).toBe(204);
  return id;
}

async function prune(kind: string): Promise<void> {
  const { prune, keptMs } = retentions.find((each) => each.kind === kind)!;
  const before = new Date(services.clock.now().getTime() - keptMs);
  while ((await prune(services, before, 2)) > 0);
}

describe('a message with files', () => {
  test('is shown to the team live and in the conversation, with files that colleagues can open', async () => {
    const ids = [await upload(), await upload(PDF, 'Auszug „März“.pdf')];
    const { url } = gateway;
    using viewer = await followTicket({ url, token: colleague.token, ticket });
    const reply = await rpc('tickets.reply', { ticket, body: '', attachments: ids });
    const files = [
      { id: ids[0], name: 'payout.png', type: 'image/png', size: PNG.length, deleted: false },
      { id: ids[1], name: 'Auszug „März“.pdf', type: 'application/pdf', size: PDF.length, deleted: false },
    ];
    expect(reply.data).toMatchObject({ body: '', attachments: files });
    const isMessage = ({ data }: { data: { type?: string } }) => data.type === 'message.created';
    await expect
      .poll(() => viewer.events.find(isMessage)?.data, { timeout: 30_000 })
      .toMatchObject({
        message: { attachments: files },
      });
    const page = await gateway.rpc('tickets.messages', { token: colleague.token, body: { ticket } });
    expect((page.data.data ?? page.data)[0].attachments).toEqual(files);

    const image = await call('GET', ids[0]!, colleague);
    expect(Buffer.from(await image.arrayBuffer())).toEqual(PNG);
    expect(Object.fromEntries(image.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'content-disposition': `inline; filename="payout.png"; filename*=UTF-8''payout.png`,
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    });
    const pdf = await call('GET', ids[1]!, colleague);
    expect(pdf.headers.get('content-disposition')).toBe(
      `attachment; filename="Auszug _M_rz_.pdf"; filename*=UTF-8''Auszug%20%E2%80%9EM%C3%A4rz%E2%80%9C.pdf`,
    );
    await pdf.arrayBuffer();
    const etag = image.headers.get('etag')!;
    const again = await call('GET', ids[0]!, colleague, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await call('HEAD', ids[0]!, colleague);
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(PNG.length)]);
    expect((await call('DELETE', ids[0]!, colleague)).status).toBe(405);
  });

  test('is rejected without text and files, and with a file that is not the caller’s to send', async () => {
    const sent = await upload();
    await rpc('tickets.addNote', { ticket, body: 'See', attachments: [sent] });
    const other = await createTicket(services, { firm: agent.firm, trader });
    const elsewhere = (await rpc('attachments.create', { ticket: other, name: 'a.png', size: PNG.length }))
      .data.id;
    await put(elsewhere, PNG);
    const foreign = await announce(PNG.length, { by: colleague });
    await put(foreign, PNG, colleague);
    for (const id of [sent, await announce(4), elsewhere, foreign]) {
      const answer = await rpc('tickets.reply', { ticket, body: 'Hello', attachments: [id] });
      expect([answer.code, answer.fields?.[0]?.path]).toEqual(['validation_failed', 'attachments[0]']);
    }
    const empty = await rpc('tickets.reply', { ticket, body: ' ', attachments: [] });
    expect([empty.code, empty.fields?.[0]?.path]).toEqual(['validation_failed', 'body']);
    const many = Array.from({ length: 11 }, (_, n) => `att_${String(n).padStart(26, '0')}`);
    expect((await rpc('tickets.reply', { ticket, body: '', attachments: many })).code).toBe(
      'validation_failed',
    );
  });

  test('that is held and taken back can be sent again with its files', async () => {
    const id = await upload();
    const held = await rpc('tickets.holdReply', { ticket, body: '', attachments: [id] });
    await rpc('tickets.takeBackReply', { ticket, id: held.data.id });
    const again = await rpc('tickets.holdReply', { ticket, body: 'Here', attachments: [id] });
    expect(again.code).toBe(null);
    await rpc('tickets.setStatus', { ticket, status: 'resolved' });
    const { data } = await rpc('tickets.messages', { ticket });
    const messages = data.data ?? data;
    expect(messages.find((message: { id: string }) => message.id === again.data.id)).toMatchObject({
      body: 'Here',
      attachments: [{ id }],
    });
  });
});

describe('rights', () => {
  test('are checked at each read: a file of another firm, a missing one and one not sent yet are alike', async () => {
    const sent = await upload();
    await rpc('tickets.reply', { ticket, body: '', attachments: [sent] });
    const stranger = await createUserWithToken(gateway, { permissions: [...staffed.permissions] });
    const unsent = await upload();
    const refused = await Promise.all([
      call('GET', sent, stranger),
      call('GET', `att_${'0'.repeat(26)}`, agent),
      call('GET', unsent, colleague),
      call('GET', await announce(4), agent),
      call('GET', 'x', agent),
    ]);
    const bodies = await Promise.all(refused.map(async (answer) => [answer.status, await codeOf(answer)]));
    expect(bodies).toEqual(bodies.map(() => [404, 'resource_not_found']));
    const named = await call('GET', sent, { ...agent, token: stranger.token });
    expect([named.status, await codeOf(named)]).toEqual([403, 'workspace_not_permitted']);
    const without = await createUserWithToken(gateway, { firm: agent.firm, permissions: [] });
    expect((await call('GET', sent, without)).status).toBe(403);
    expect((await call('GET', sent, { ...agent, token: 'x' })).status).toBe(401);
    expect((await call('GET', unsent, agent)).status).toBe(200);
  });

  test('cover the upload: only the account that announced a file sends it', async () => {
    const id = await announce(PNG.length);
    expect(await codeOf(await put(id, PNG, colleague))).toBe('resource_not_found');
    const reader = await createUserWithToken(gateway, { firm: agent.firm, permissions: ['view_tickets'] });
    expect(await codeOf(await put(id, PNG, reader))).toBe('forbidden');
    expect((await put(id, PNG)).status).toBe(204);
    // A retry whose first answer was lost.
    expect((await put(id, PNG)).status).toBe(204);
    const other = await put(id, Buffer.concat([PNG.subarray(0, -1), Buffer.from('!')]));
    expect([other.status, await codeOf(other)]).toEqual([422, 'validation_failed']);
    expect(Buffer.from(await (await call('GET', id, agent)).arrayBuffer())).toEqual(PNG);
  });
});

describe('an upload', () => {
  test.each<[name: string, content: Buffer]>([
    ['page.png', Buffer.from('<!DOCTYPE html><script>alert(1)</script>')],
    ['logo.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['run.pdf', Buffer.from('MZ\x90\x00')],
  ])('is rejected by its content, whatever its name says: %s', async (name, content) => {
    const id = await announce(content.length, { name });
    const answer = await put(id, content);
    expect([answer.status, await codeOf(answer)]).toEqual([415, 'unsupported_media_type']);
    expect((await call('GET', id, agent)).status).toBe(404);
  });

  test('must have the announced size, of at most 25 MB', async () => {
    for (const size of [0, MAX_ATTACHMENT_BYTES + 1])
      expect((await rpc('attachments.create', { ticket, name: 'a.png', size })).code).toBe(
        'validation_failed',
      );
    const id = await announce(PNG.length + 1);
    expect(await codeOf(await put(id, PNG))).toBe('validation_failed');
    const chunked = await call('PUT', id, agent, {
      body: new Blob([PNG]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(await codeOf(chunked)).toBe('validation_failed');
  });

  test('can be repeated after it was interrupted', async () => {
    const content = Buffer.concat([PNG, Buffer.alloc(5_000_000)]);
    const id = await announce(content.length);
    const { hostname, port } = new URL(gateway.url);
    const half = httpRequest({
      hostname,
      port,
      method: 'PUT',
      path: attachmentPath(agent.firm.slug, id),
      headers: { authorization: `Bearer ${agent.token}`, 'content-length': content.length },
    });
    half.on('error', () => {});
    half.write(content.subarray(0, 2_000_000));
    await expect.poll(() => gateway.log.lines.length).toBeGreaterThan(0);
    half.destroy();
    expect((await call('GET', id, agent)).status).toBe(404);
    expect((await put(id, content)).status).toBe(204);
    const read = Buffer.from(await (await call('GET', id, agent)).arrayBuffer());
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
    const slow = httpRequest(gateway.url + attachmentPath(agent.firm.slug, id), {
      method: 'PUT',
      headers: { authorization: `Bearer ${agent.token}`, 'content-length': late.length },
    });
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
    const contents = await Promise.all(keys.map((key) => services.objects.read(key)));
    for (const content of contents) content?.destroy();
    expect(contents.map((content) => content !== null)).toEqual([false, true]);
  });

  test('may take longer than other requests', async () => {
    const id = await announce(PNG.length);
    const connected = once(gateway.app.server, 'connection') as Promise<[Socket]>;
    const { hostname, port } = new URL(gateway.url);
    const slow = httpRequest({
      hostname,
      port,
      method: 'PUT',
      path: attachmentPath(agent.firm.slug, id),
      headers: { authorization: `Bearer ${agent.token}`, 'content-length': PNG.length },
      agent: false,
    });
    const answered = once(slow, 'response');
    slow.write(PNG.subarray(0, 10));
    const [socket] = await connected;
    const timedOut = Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    // Node reports a request that has not arrived after a minute in this way.
    const { isUploading } = await import('./attachments.ts');
    await expect.poll(() => isUploading(socket), { timeout: 30_000 }).toBe(true);
    gateway.app.server.emit('clientError', timedOut, socket);
    slow.end(PNG.subarray(10));
    const [answer] = await answered;
    expect(answer.statusCode).toBe(204);
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

describe('a download', () => {
  /** Larger than what the connections of a client and the gateway hold. */
  const large = Buffer.concat([PNG, Buffer.alloc(20_000_000)]);

  /** Opens a file and reads nothing of it. */
  function stall(id: string, { token, firm }: UserWithToken) {
    const request = httpRequest(gateway.url + attachmentPath(firm.slug, id), {
      headers: { authorization: `Bearer ${token}` },
      agent: false,
    });
    const stalled = {
      request,
      answer: null as IncomingMessage | null,
      leave: () => request.destroy(),
    };
    request.on('error', () => {});
    request.on('response', (answer) => {
      stalled.answer = answer;
      answer.on('error', () => {});
    });
    request.end();
    return stalled;
  }

  test('waits while the account has ten others, and is rejected when too many wait', async () => {
    const id = await upload(large);
    await rpc('tickets.reply', { ticket, body: '', attachments: [id] });
    const begun = 10;
    const waiting = 60;
    const all = Array.from({ length: begun + waiting + 2 }, () => stall(id, agent));
    const withStatus = (status: number) => all.filter(({ answer }) => answer?.statusCode === status);
    await expect
      .poll(() => [withStatus(200).length, withStatus(429).length], { timeout: 30_000 })
      .toEqual([begun, 2]);
    for (const { answer } of withStatus(429)) expect(answer!.headers['retry-after']).toBe('1');
    const rejections = gateway.log.lines.filter(({ message }) => message === 'limit exceeded');
    expect(rejections.map(({ fields }) => [fields.procedure, fields.limit])).toEqual(
      Array(2).fill(['attachments.read', 'waiting_calls']),
    );
    // Others are not affected.
    const other = await call('GET', id, colleague);
    expect((await other.arrayBuffer()).byteLength).toBe(large.length);
    for (const { leave } of withStatus(200)) leave();
    await expect.poll(() => withStatus(200).length, { timeout: 30_000 }).toBe(2 * begun);
    for (const { leave } of all) leave();
    // Those that have left take no place.
    const last = await call('GET', id, agent);
    expect((await last.arrayBuffer()).byteLength).toBe(large.length);
  });

  test('ends when its client takes nothing for the time after which an upload ends, too', async () => {
    const id = await upload(large);
    const connected = once(gateway.app.server, 'connection') as Promise<[Socket]>;
    const read = vi.spyOn(services.objects, 'read');
    const stalled = stall(id, agent);
    const [socket] = await connected;
    await expect.poll(() => socket.timeout, { timeout: 30_000 }).toBe(CONTENT_IDLE_MS);
    const content = (await read.mock.results[0]!.value) as Readable;
    read.mockRestore();
    // Node reports a connection on which no byte has moved in this way.
    socket.emit('timeout');
    await expect.poll(() => content.destroyed, { timeout: 30_000 }).toBe(true);
    await expect.poll(() => stalled.answer, { timeout: 30_000 }).not.toBe(null);
    stalled.answer!.resume();
    await expect.poll(() => stalled.answer!.closed, { timeout: 30_000 }).toBe(true);
    expect(stalled.answer!.complete).toBe(false);
  });
});

describe('a store that fails', () => {
  const errorsOf = (message: string) =>
    gateway.log.lines.splice(0).filter((line) => line.level === 'error' && line.message === message);

  test('is answered with 503 and Retry-After, for an upload, a file and a thumbnail', async () => {
    const { objects } = services;
    const id = await upload(Buffer.concat([PNG, Buffer.alloc(300_000)]));
    const unsent = await announce(PNG.length);
    services.objects = folderStore('/dev/null');
    const answers = [
      await put(unsent, PNG),
      await call('GET', id, agent),
      await call('GET', `${id}?size=small`, agent),
    ];
    services.objects = objects;
    for (const answer of answers)
      expect([answer.status, answer.headers.get('retry-after'), await codeOf(answer)]).toEqual([
        503,
        '10',
        'unavailable',
      ]);
    expect(errorsOf('call failed').map(({ fields }) => [fields.procedure, fields.code])).toEqual([
      ['attachments.upload', 'unavailable'],
      ['attachments.read', 'unavailable'],
      ['attachments.read', 'unavailable'],
    ]);
    // Nothing of it is remembered.
    expect((await put(unsent, PNG)).status).toBe(204);
    expect((await call('GET', id, agent)).status).toBe(200);
  });

  test.each([
    ['less', Buffer.alloc(200_000)],
    ['more', Buffer.alloc(400_000)],
  ])('and has %s than the content closes the connection', async (_than, kept) => {
    const write = vi.spyOn(services.objects, 'write');
    const id = await upload(Buffer.concat([PNG, Buffer.alloc(300_000)]));
    const [key] = write.mock.calls[0]!;
    write.mockRestore();
    await services.objects.write(key, Readable.from([kept]), kept.length);
    const answer = await call('GET', id, agent);
    await expect(answer.arrayBuffer()).rejects.toThrow();
    expect(errorsOf('a content was not sent completely')).toMatchObject([
      { fields: { attachment: id, err: { message: expect.stringContaining('300016 bytes') } } },
    ]);
  });
});

describe('a thumbnail', () => {
  const small = (id: string, by = agent, method = 'GET') => call(method, `${id}?size=small`, by);
  /** A photo whose pixels do not compress. */
  const photo = (width: number, height: number) =>
    sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });

  test.each<[format: string, encoded: () => Promise<Buffer>]>([
    ['png', () => photo(900, 450).png().toBuffer()],
    ['jpeg', () => photo(900, 450).jpeg({ quality: 100 }).toBuffer()],
    ['gif', () => photo(900, 450).gif().toBuffer()],
    ['webp', () => photo(900, 450).webp({ lossless: true }).toBuffer()],
    ['avif', () => photo(900, 450).avif({ quality: 100, effort: 0 }).toBuffer()],
  ])('of a large %s has at most 640 pixels in each direction, and is stored', async (format, encoded) => {
    const content = Buffer.from(await encoded());
    const id = await upload(content, `photo.${format}`);
    const [first, meanwhile] = await Promise.all([small(id), small(id)]);
    const again = await small(id);
    for (const answer of [first, meanwhile, again]) {
      expect(answer.headers.get('content-type')).toBe('image/webp');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      const { width, height, format } = await sharp(await answer.arrayBuffer()).metadata();
      expect({ width, height, format }).toEqual({ width: 640, height: 320, format: 'webp' });
    }
    const stored = await services.objects.read(`${agent.firm.id}/${id}-small`);
    expect(Buffer.concat(await stored!.toArray()).length).toBeLessThan(content.length);
    const cached = await call('GET', `${id}?size=small`, agent, {
      headers: { 'if-none-match': again.headers.get('etag')! },
    });
    expect([cached.status, (await small(id, agent, 'HEAD')).status]).toEqual([304, 200]);
    const whole = await call('GET', id, agent);
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(content);
    // As the image itself, which no message contains yet.
    expect((await small(id, colleague)).status).toBe(404);
    await rpc('attachments.remove', { id });
    expect((await small(id)).status).toBe(404);
    gateway.clock.advance(16 * 60_000);
    await prune('deleted_attachments');
    expect(await services.objects.read(`${agent.firm.id}/${id}-small`)).toBe(null);
  });

  test('is upright', async () => {
    const content = await photo(900, 450).withMetadata({ orientation: 6 }).jpeg({ quality: 100 }).toBuffer();
    const answer = await small(await upload(content, 'photo.jpg'));
    const { width, height, orientation } = await sharp(await answer.arrayBuffer()).metadata();
    expect({ width, height, orientation }).toEqual({ width: 320, height: 640, orientation: undefined });
  });

  test('of a small image and a document is the file itself', async () => {
    for (const [content, name] of [
      [PNG, 'small.png'],
      [Buffer.concat([PDF, Buffer.alloc(300_000)]), 'large.pdf'],
    ] as const) {
      const answer = await small(await upload(content, name));
      expect(answer.headers.get('content-length'), name).toBe(String(content.length));
      expect(Buffer.from(await answer.arrayBuffer()).equals(content), name).toBe(true);
    }
  });

  const flat = (width: number, height: number, channels: 3 | 4 = 3) =>
    sharp({ create: { width, height, channels, background: 'white' }, limitInputPixels: false });
  /** A box that decoders of AVIF ignore. */
  const freeBox = Buffer.concat([
    Buffer.from([0, 3, 0x0d, 0x40]),
    Buffer.from('free'),
    Buffer.alloc(199_992),
  ]);

  test.each<[name: string, encoded: () => Promise<Buffer>, problem: RegExp]>([
    ['damaged.png', async () => PNG, /corrupt/],
    [
      '64 million pixels.png',
      () => flat(8_000, 8_000).png({ compressionLevel: 1 }).toBuffer(),
      /pixel limit/,
    ],
    [
      'interlaced 16 bit.png',
      () =>
        flat(4_200, 4_200, 4)
          .toColourspace('rgb16')
          .png({ compressionLevel: 1, progressive: true })
          .toBuffer(),
      /212 MB/,
    ],
    ['progressive.jpg', () => flat(6_000, 5_600).jpeg({ progressive: true }).toBuffer(), /202 MB/],
    ['large.gif', () => flat(6_000, 5_600).gif({ effort: 1 }).toBuffer(), /202 MB/],
    ['large.avif', () => flat(4_000, 2_600).avif({ effort: 0 }).toBuffer(), /208 MB/],
  ])('is not made of what cannot be decoded in little memory: %s', async (name, encoded, problem) => {
    const content = Buffer.concat([await encoded(), freeBox]);
    const id = await upload(content, name);
    const read = vi.spyOn(services.objects, 'read');
    for (let view = 0; view < 2; view++) {
      const answer = await small(id);
      expect([answer.status, await codeOf(answer)]).toEqual([404, 'resource_not_found']);
    }
    // The second view does not decode it again.
    expect(read.mock.calls.filter(([key]) => !key.endsWith('-small'))).toHaveLength(1);
    read.mockRestore();
    const warnings = gateway.log.lines.filter(({ level }) => level === 'warn');
    expect(warnings).toMatchObject([
      { message: 'a thumbnail cannot be made', fields: { err: { message: expect.stringMatching(problem) } } },
    ]);
    expect((await call('GET', id, agent)).headers.get('content-length')).toBe(String(content.length));
  });

  test('is made for the firms in turn, and not for a client that has left', async () => {
    const image = await photo(900, 450).jpeg({ quality: 100 }).toBuffer();
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push(await upload(image));
    const other = await createUserWithToken(gateway, { permissions: [...staffed.permissions] });
    const elsewhere = await createTicket(services, {
      firm: other.firm,
      trader: await createUser(services, { firm: other.firm, role: 'trader' }),
    });
    const input = { ticket: elsewhere, name: 'a.jpg', size: image.length };
    const foreign = (await rpc('attachments.create', input, other)).data.id as string;
    expect((await put(foreign, image, other)).status).toBe(204);

    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const original = services.objects.read.bind(services.objects);
    const lookedUp: string[] = [];
    const decoded: string[] = [];
    const read = vi.spyOn(services.objects, 'read').mockImplementation(async (key) => {
      if (!key.endsWith('-small')) {
        decoded.push(key.slice(key.indexOf('/') + 1, key.indexOf('/') + 1 + foreign.length));
        await gate;
      } else lookedUp.push(key);
      return original(key);
    });
    const leave = new AbortController();
    const answers: Promise<Response | null>[] = [];
    for (const [n, id] of [...ids, foreign].entries()) {
      const isFirst = (key: string) => key.includes(id);
      const init = n === 2 ? { signal: leave.signal } : {};
      const by = id === foreign ? other : agent;
      answers.push(call('GET', `${id}?size=small`, by, init).catch(() => null));
      await expect.poll(() => lookedUp.some(isFirst), { timeout: 30_000 }).toBe(true);
      if (n !== 2) continue;
      leave.abort();
      const hasLeft = () => gateway.log.lines.some(({ fields }) => fields.aborted);
      await expect.poll(hasLeft, { timeout: 30_000 }).toBe(true);
    }
    open();
    const statuses = (await Promise.all(answers)).map((answer) => answer?.status);
    expect(statuses).toEqual([200, 200, undefined, 200, 200]);
    expect(decoded).toEqual([ids[0], ids[1], foreign, ids[3]]);
    read.mockRestore();
  });
});

describe('contents are deleted', () => {
  /** The keys under which this file's tests have stored contents. */
  let written: MockInstance<typeof services.objects.write>;
  beforeEach(() => {
    written = vi.spyOn(services.objects, 'write');
    return () => written.mockRestore();
  });
  const isStored = async (id: string) => {
    const [key] = written.mock.calls.find(([key]) => key.startsWith(`${agent.firm.id}/${id}`))!;
    const content = await services.objects.read(key);
    content?.destroy();
    return content !== null;
  };

  test('when a file is removed, and when no message contains it after seven days', async () => {
    const [removed, unsent, sent] = [await upload(), await upload(), await upload()];
    await rpc('tickets.reply', { ticket, body: '', attachments: [sent] });
    expect((await rpc('attachments.remove', { id: sent })).code).toBe('resource_not_found');
    expect((await rpc('attachments.remove', { id: removed }, colleague)).code).toBe('resource_not_found');
    expect((await rpc('attachments.remove', { id: removed })).code).toBe(null);
    expect((await call('GET', removed, agent)).status).toBe(404);
    gateway.clock.advance((UNSENT_ATTACHMENT_DAYS * 86_400 + 1) * 1_000);
    await prune('unsent_attachments');
    const answer = await rpc('tickets.reply', { ticket, body: '', attachments: [unsent] });
    expect(answer.code).toBe('validation_failed');
    gateway.clock.advance(16 * 60_000);
    await prune('deleted_attachments');
    expect(await Promise.all([removed, unsent, sent].map(isStored))).toEqual([false, false, true]);
  });

  test('with the firm', async () => {
    const id = await upload();
    await rpc('tickets.reply', { ticket, body: '', attachments: [id] });
    const actor = { kind: 'operator', id: 'test' } as const;
    await withTransaction(services, (ctx) => suspendFirm({ ...ctx, actor }, agent.firm.slug));
    await deleteFirm(services, agent.firm.slug, { actor });
    expect(await isStored(id)).toBe(false);
  });

  test.each<[who: string, erased: () => string]>([
    ['the trader', () => trader.email],
    ['the agent who has uploaded them', () => agent.user.email],
  ])('with the account of %s, while the message remains', async (_who, erased) => {
    const id = await upload(PDF, 'passport.pdf');
    await rpc('tickets.reply', { ticket, body: 'Thank you', attachments: [id] });
    await eraseAccount(services, erased(), { actor: { kind: 'operator', id: 'test' } });
    const { data } = await rpc('tickets.messages', { ticket }, colleague);
    expect(data.data ?? data).toMatchObject([
      { body: 'Thank you', attachments: [{ id, name: 'Deleted file', deleted: true }] },
      { body: 'Where is it?' },
    ]);
    expect((await call('GET', id, colleague)).status).toBe(404);
    // The erasure uses the database's clock.
    gateway.clock.advance(3 * 86_400_000);
    await prune('deleted_attachments');
    expect(await isStored(id)).toBe(false);
  });
});
