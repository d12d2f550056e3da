import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { attachmentPath } from '@firmdesk/contract';
import { CONTENT_IDLE_MS, folderStore } from '@firmdesk/domain';
import {
  attachmentCalls,
  createAttachmentFixture,
  errorCodeOf,
  PNG,
  suiteGateway,
  type UserWithToken,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test, vi } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;
let agent: UserWithToken;
let colleague: UserWithToken;
let ticket: string;
const { rpc, announce, call, put, upload } = attachmentCalls(gateway, () => ({ agent, ticket }));

beforeEach(async () => {
  ({ agent, colleague, ticket } = await createAttachmentFixture(gateway));
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
    const last = await call('GET', id);
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
    const answers = [await put(unsent, PNG), await call('GET', id), await call('GET', `${id}?size=small`)];
    services.objects = objects;
    for (const answer of answers)
      expect([answer.status, answer.headers.get('retry-after'), await errorCodeOf(answer)]).toEqual([
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
    expect((await call('GET', id)).status).toBe(200);
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
    const answer = await call('GET', id);
    await expect(answer.arrayBuffer()).rejects.toThrow();
    expect(errorsOf('a content was not sent completely')).toMatchObject([
      { fields: { file: id, err: { message: expect.stringContaining('300016 bytes') } } },
    ]);
  });
});
