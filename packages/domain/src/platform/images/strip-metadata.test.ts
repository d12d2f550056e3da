import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../process/errors.ts';
import { stripMetadata } from './strip-metadata.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const TELLING = ['SecretMaker', 'SERIAL4711', '52,31.2058N', 'by Robin'];
/** What tells a place in Exif: 31/1 and 12345/1000, in both byte orders. */
const NUMBERS = ['1f00000001000000393000', '0000001f0000000100003039'].map((hex) => Buffer.from(hex, 'hex'));
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
  exif:GPSLatitude="52,31.2058N" xmlns:exif="http://ns.adobe.com/exif/1.0/"/></rdf:RDF></x:xmpmeta>`;

/** Returns what is stored of an image that arrives in chunks of this size. */
async function strip(type: string, image: Buffer, chunkBytes = 1_000): Promise<Buffer> {
  const content = Buffer.from(image);
  async function* chunks() {
    for (let at = 0; at < content.length; at += chunkBytes) yield content.subarray(at, at + chunkBytes);
  }
  const stripped = await buffer(stripMetadata(type, chunks()));
  expect(stripped.length).toBe(image.length);
  return stripped;
}

const tells = (content: Buffer) =>
  TELLING.filter((text) => content.includes(text)).concat(
    NUMBERS.filter((bytes) => content.includes(bytes)).map((bytes) => bytes.toString('hex')),
  );
const pixels = (image: Buffer) => sharp(image, { animated: true }).raw().toBuffer();

const WIDTH = 40;
const HEIGHT = 24;
const noise = Buffer.from(Array.from({ length: WIDTH * HEIGHT * 3 }, (_, n) => (n * n * 31 + n * 7) % 251));
/** A picture with a place, a camera, an author, a colour profile and an orientation. */
const photo = (): Sharp =>
  sharp(noise, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .withExif({
      IFD0: { Make: 'SecretMaker', Artist: 'by Robin' },
      IFD2: { BodySerialNumber: 'SERIAL4711' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12345/1000' },
    })
    .withXmp(XMP)
    .withIccProfile('p3')
    .withMetadata({ orientation: 6 });
const animation = () =>
  sharp(noise, { raw: { width: WIDTH, height: HEIGHT, channels: 3, pageHeight: HEIGHT / 2 } })
    .withExif({ IFD0: { Make: 'SecretMaker' } })
    .withXmp(XMP);

const encoded: [name: string, type: string, encode: () => Promise<Buffer>][] = [
  ['a JPEG', 'image/jpeg', () => photo().jpeg().toBuffer()],
  ['a progressive JPEG', 'image/jpeg', () => photo().jpeg({ progressive: true }).toBuffer()],
  ['a PNG', 'image/png', () => photo().png().toBuffer()],
  ['a PNG with a palette', 'image/png', () => photo().png({ palette: true }).toBuffer()],
  ['a WebP', 'image/webp', () => photo().webp().toBuffer()],
  ['a lossless WebP', 'image/webp', () => photo().webp({ lossless: true }).toBuffer()],
  ['an animated WebP', 'image/webp', () => animation().webp({ loop: 3 }).toBuffer()],
  ['an AVIF', 'image/avif', () => photo().avif({ effort: 0 }).toBuffer()],
];

describe.each(encoded)('%s', (_name, type, encode) => {
  test('has no metadata but its colour profile and orientation, in chunks of any size', async () => {
    const image = await encode();
    expect(tells(image)).not.toEqual([]);
    const stripped = await strip(type, image);
    expect(tells(stripped)).toEqual([]);
    for (const chunkBytes of [1, 13, image.length])
      expect(await strip(type, image, chunkBytes)).toEqual(stripped);
    expect(await pixels(stripped)).toEqual(await pixels(image));
    const [before, after] = [await sharp(image).metadata(), await sharp(stripped).metadata()];
    for (const kept of ['icc', 'orientation', 'width', 'height', 'pages', 'loop', 'delay'] as const)
      expect(after[kept]).toEqual(before[kept]);
    expect(await strip(type, stripped)).toEqual(stripped);
  });

  test('is stored when it is damaged: cut off anywhere, or with other bytes', async () => {
    const image = await encode();
    await fc.assert(
      fc.asyncProperty(fc.nat(image.length), async (length) => {
        await strip(type, image.subarray(0, length));
      }),
    );
    const changes = fc.array(fc.tuple(fc.nat(Math.min(image.length - 1, 1_500)), fc.nat(255)), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(changes, fc.integer({ min: 1, max: 3_000 }), async (bytes, chunkBytes) => {
        const damaged = Buffer.from(image);
        for (const [at, byte] of bytes) damaged[at] = byte;
        await strip(type, damaged, chunkBytes).catch((error: unknown) => {
          expect((error as ApiError).apiCode).toBe('unsupported_media_type');
        });
      }),
    );
  });
});

test.each(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'])(
  'bytes that are no %s are stored',
  async (type) => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 400 }),
        fc.integer({ min: 1, max: 50 }),
        async (bytes, size) => {
          await strip(type, Buffer.from(bytes), size).catch((error: unknown) => {
            expect((error as ApiError).apiCode).toBe('unsupported_media_type');
          });
        },
      ),
    );
  },
);

test('a document is kept as it is', async () => {
  const content = latin1('%PDF-1.7\n<x:xmpmeta>52,31.2058N</x:xmpmeta>');
  expect(await strip('application/pdf', content)).toEqual(content);
});

/** Returns an image with what is inserted before an index, or appended. */
const insert = (image: Buffer, at: number, ...parts: Buffer[]) =>
  Buffer.concat([image.subarray(0, at), ...parts, image.subarray(at)]);
async function expectNothingTold(type: string, image: Buffer): Promise<Buffer> {
  expect(tells(image)).not.toEqual([]);
  const stripped = await strip(type, image);
  expect(tells(stripped)).toEqual([]);
  expect(await pixels(stripped)).toEqual(await pixels(image));
  return stripped;
}

describe('a JPEG', () => {
  const segment = (marker: number, content: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(content.length + 2, 2);
    return Buffer.concat([head, content]);
  };

  test('has no comments, captions, second images, and nothing in or after its scans', async () => {
    const plain = await sharp(noise, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
      .jpeg({ progressive: true })
      .toBuffer();
    const lastScan = plain.lastIndexOf(Buffer.from([0xff, 0xda]));
    const image = insert(
      insert(
        plain,
        lastScan,
        segment(0xfe, latin1('by Robin')),
        segment(0xe1, latin1(`http://ns.adobe.com/xap/1.0/\0${XMP}`)),
      ),
      2,
      segment(0xed, latin1('Photoshop 3.0\0by Robin')),
      segment(0xe2, latin1('MPF\0SERIAL4711')),
      segment(0xe0, latin1('JFXX\0SecretMaker')),
      segment(0xe1, latin1(`Exif\0\0${'SecretMaker'.repeat(9)}`)),
      // Fill bytes.
      Buffer.from([0xff, 0xff]),
    );
    await expectNothingTold('image/jpeg', Buffer.concat([image, await photo().jpeg().toBuffer()]));
  });

  test.each(['LE', 'BE'] as const)('keeps its orientation from a directory anywhere, %s', async (order) => {
    const tiff = Buffer.alloc(100);
    tiff.write(order === 'LE' ? 'II' : 'MM');
    const short = (value: number, at: number) => tiff[`writeUInt16${order}`](value, at);
    short(42, 2);
    tiff[`writeUInt32${order}`](60, 4);
    short(2, 60);
    short(0x010f, 62);
    short(0x0112, 74);
    short(3, 76);
    tiff[`writeUInt32${order}`](1, 78);
    short(8, 82);
    tiff.write('SERIAL4711', 20);
    const plain = await sharp(noise, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
      .jpeg()
      .toBuffer();
    const image = insert(plain, 2, segment(0xe1, Buffer.concat([latin1('Exif\0\0'), tiff])));
    const stripped = await expectNothingTold('image/jpeg', image);
    expect((await sharp(stripped).metadata()).orientation).toBe(8);
  });
});

describe('a PNG', () => {
  const chunk = (type: string, content: Buffer) => {
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    checksum.writeUInt32BE(crc32(content, crc32(type)));
    return Buffer.concat([length, latin1(type), content, checksum]);
  };
  /** Returns the types of the chunks, and throws if a checksum is wrong. */
  function chunksOf(image: Buffer): string[] {
    const types: string[] = [];
    for (let at = 8; at < image.length; ) {
      const end = at + 8 + image.readUInt32BE(at);
      types.push(image.toString('latin1', at + 4, at + 8));
      expect(crc32(image.subarray(at + 4, end))).toBe(image.readUInt32BE(end));
      at = end + 4;
      if (types.at(-1) === 'IEND') break;
    }
    return types;
  }

  test('has no texts and no chunks that only other programs know, with right checksums', async () => {
    const plain = await sharp(noise, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
      .png()
      .toBuffer();
    const image = insert(
      plain,
      33,
      chunk('tEXt', latin1('Author\0by Robin')),
      chunk('iTXt', latin1(`XML:com.adobe.xmp\0\0\0\0\0${XMP}`)),
      chunk('tIME', latin1('SERIAL4')),
      chunk('caBX', latin1('SecretMaker'.repeat(20_000))),
      chunk('eXIf', latin1('SERIAL4711')),
    );
    const stripped = await expectNothingTold('image/png', Buffer.concat([image, latin1('by Robin')]));
    expect(new Set(chunksOf(stripped))).toEqual(new Set(['IHDR', 'emPt', 'eXIf', ...chunksOf(plain)]));
  });

  test('with an Exif chunk of several MB has only its orientation', async () => {
    const plain = await photo().png().toBuffer();
    const exif = Buffer.concat([latin1('II*\0\x08\0\0\0\0\0'), latin1('SERIAL4711'.repeat(300_000))]);
    chunksOf(await expectNothingTold('image/png', insert(plain, 33, chunk('eXIf', exif))));
  });
});

describe('a WebP', () => {
  test('has no chunks that decoders skip, and nothing after its end', async () => {
    const image = await photo().webp().toBuffer();
    const extra = Buffer.concat([latin1('SECR\x0b\0\0\0SecretMaker\0')]);
    const longer = Buffer.concat([image, extra]);
    longer.writeUInt32LE(longer.length - 8, 4);
    await expectNothingTold('image/webp', Buffer.concat([longer, latin1('SERIAL4711')]));
  });
});

describe('a GIF', () => {
  const extension = (label: number, ...blocks: Buffer[]) =>
    Buffer.concat([
      Buffer.from([0x21, label]),
      ...blocks.map((block) => Buffer.concat([Buffer.from([block.length]), block])),
      Buffer.from([0]),
    ]);

  test('has no comments and no XMP; its pictures, delays and repetitions remain', async () => {
    const plain = await animation()
      .gif({ loop: 3, delay: [100, 200] })
      .toBuffer();
    const afterTable = 13 + (plain[10]! & 0x80 ? 3 << ((plain[10]! & 7) + 1) : 0);
    // As Adobe writes it: the text is read as blocks whose lengths are its letters, up to a trailer that catches each.
    const trailer = Buffer.from([1, ...Array.from({ length: 256 }, (_, n) => 255 - n), 0]);
    const xmp = Buffer.concat([latin1('\x21\xff\x0bXMP DataXMP'), latin1(XMP), trailer]);
    const image = Buffer.concat([
      insert(plain, afterTable, extension(0xfe, latin1('by Robin'), latin1('SERIAL4711')), xmp),
      latin1('SecretMaker'),
    ]);
    const stripped = await expectNothingTold('image/gif', image);
    const [before, after] = [await sharp(image).metadata(), await sharp(stripped).metadata()];
    expect([after.pages, after.loop, after.delay]).toEqual([2, 3, [100, 200]]);
    expect([after.pages, after.loop, after.delay]).toEqual([before.pages, before.loop, before.delay]);
  });
});

describe('an AVIF', () => {
  const box = (type: string, ...content: Buffer[]) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
    return Buffer.concat([size, latin1(type), ...content]);
  };

  test('has no boxes that decoders skip', async () => {
    const image = await photo().avif({ effort: 0 }).toBuffer();
    const uuid = box('uuid', latin1('SERIAL4711SecretMaker'));
    await expectNothingTold('image/avif', Buffer.concat([image, uuid, box('free', latin1('by Robin'))]));
  });

  /** A file with an Exif item, in the box of items or in the data. */
  function withExif({ method, offset }: { method: number; offset: number }): Buffer {
    const exif = latin1('\0\0\0\0II*\0SERIAL4711');
    const item = Buffer.from([0, 0, 0, 0, 0, 1, ...box('infe', latin1('\x02\0\0\0\0\x01\0\0Exif\0'))]);
    const location = Buffer.concat([
      Buffer.from([1, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, method, 0, 0, 0, 1, 0, 0, 0, offset, 0, 0, 0]),
      Buffer.from([exif.length]),
    ]);
    const meta = [Buffer.alloc(4), box('iinf', item), box('iloc', location)];
    const ftyp = box('ftyp', latin1('avif\0\0\0\0avifmif1'));
    return method === 1
      ? Buffer.concat([ftyp, box('meta', ...meta, box('idat', exif))])
      : Buffer.concat([ftyp, box('mdat', exif), box('meta', ...meta)]);
  }

  test('has no metadata in the box of items', async () => {
    const image = withExif({ method: 1, offset: 0 });
    expect(tells(image)).toEqual(['SERIAL4711']);
    expect(tells(await strip('image/avif', image))).toEqual([]);
  });

  test('whose metadata is before the list of its items is refused', async () => {
    const image = withExif({ method: 0, offset: 32 });
    await expect(strip('image/avif', image)).rejects.toThrow(ApiError);
  });

  test('whose parts are listed twice is refused', async () => {
    const image = withExif({ method: 1, offset: 0 });
    const list = image.subarray(image.indexOf('meta') - 4);
    await expect(strip('image/avif', Buffer.concat([image, list]))).rejects.toThrow(ApiError);
  });

  test('with thousands of parts and of boxes of data takes no more time than its size needs', async () => {
    const parts = 9_999;
    const number = (value: number) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    };
    const item = Buffer.from([0, 0, 0, 0, 0, 1, ...box('infe', latin1('\x02\0\0\0\0\x01\0\0Exif\0'))]);
    const part = Buffer.concat([number(20_000_000), number(1_000)]);
    const location = Buffer.concat([
      Buffer.from([1, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 0, 0, 0, parts >> 8, parts & 255]),
      ...Array.from({ length: parts }, () => part),
    ]);
    const image = Buffer.concat([
      box('ftyp', latin1('avif\0\0\0\0avifmif1')),
      box('meta', Buffer.alloc(4), box('iinf', item), box('iloc', location)),
      ...Array.from({ length: 100_000 }, () => box('mdat')),
    ]);
    const before = process.cpuUsage();
    expect((await strip('image/avif', image)).equals(image)).toBe(true);
    // With a look at each part for each box, it takes 20 seconds.
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
  });
});

const MANY = 1_000_000;

test.each([
  ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', '\0\0\0\0teXt\0\0\0\0'],
  ['image/jpeg', '\xff\xd8', '\xff\xfe\0\x02'],
  ['image/jpeg', '\xff\xd8', '\xff'],
  ['image/gif', `GIF89a${'\0'.repeat(7)}`, '\x21\xfe\x01x\0'],
  ['image/webp', 'RIFF\xff\xff\xff\x7fWEBP', 'EXIF\0\0\0\0'],
  ['image/avif', '\0\0\0\x10ftypavif\0\0\0\0', '\0\0\0\x08free'],
])('an image of a million parts is refused: %s, %j', async (type, head, part) => {
  const parts = Buffer.concat([
    latin1(head.padEnd(type === 'image/png' ? 33 : 0, '\0')),
    latin1(part.repeat(MANY)),
  ]);
  await expect(strip(type, parts, 65_536)).rejects.toMatchObject({
    apiCode: 'unsupported_media_type',
    message: expect.stringContaining('too many small parts'),
  });
});
