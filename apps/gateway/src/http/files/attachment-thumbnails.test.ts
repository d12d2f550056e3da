import { randomBytes } from 'node:crypto';
import { createTicket, createUser } from '@firmdesk/testing';
import {
  attachmentCalls,
  createAttachmentFixture,
  createUserWithToken,
  errorCodeOf,
  isStored,
  PDF,
  PNG,
  pruneKind,
  suiteGateway,
  type UserWithToken,
} from '@firmdesk/testing/gateway';
import sharp from 'sharp';
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
    const whole = await call('GET', id);
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(content);
    // As the image itself, which no message contains yet.
    expect((await small(id, colleague)).status).toBe(404);
    await rpc('attachments.remove', { id });
    expect((await small(id)).status).toBe(404);
    gateway.clock.advance(61 * 60_000);
    await pruneKind(services, 'deleted_attachments');
    expect(await isStored(services, `${agent.firm.id}/${id}-small`)).toBe(false);
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
      expect([answer.status, await errorCodeOf(answer)]).toEqual([404, 'resource_not_found']);
    }
    // The second view does not decode it again.
    expect(read.mock.calls.filter(([key]) => !key.endsWith('-small'))).toHaveLength(1);
    read.mockRestore();
    const warnings = gateway.log.lines.filter(({ level }) => level === 'warn');
    expect(warnings).toMatchObject([
      { message: 'a thumbnail cannot be made', fields: { err: { message: expect.stringMatching(problem) } } },
    ]);
    expect((await call('GET', id)).headers.get('content-length')).toBe(String(content.length));
  });

  test('is made for the firms in turn, and not for a client that has left', async () => {
    const image = await photo(900, 450).jpeg({ quality: 100 }).toBuffer();
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push(await upload(image));
    const other = await createUserWithToken(gateway, { permissions: ['view_tickets', 'manage_tickets'] });
    const elsewhere = await createTicket(services, {
      firm: other.firm,
      trader: await createUser(services, { firm: other.firm, role: 'trader' }),
    });
    const foreign = await announce(image.length, { ticket: elsewhere, by: other });
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
