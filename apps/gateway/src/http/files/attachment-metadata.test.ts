/** What is left of an image that an agent sends: a trader can get it. */

import {
  attachmentCalls,
  createAttachmentFixture,
  errorCodeOf,
  suiteGateway,
  type UserWithToken,
} from '@firmdesk/testing/gateway';
import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';

const gateway = await suiteGateway();
let agent: UserWithToken;
let ticket: string;
const { call, put, upload } = attachmentCalls(gateway, () => ({ agent, ticket }));

beforeEach(async () => {
  ({ agent, ticket } = await createAttachmentFixture(gateway));
});

/** A photo that lies on its side, taken at 52° 31' 12.345" N, 13° 24' 12.345" E. */
const PHOTO = Buffer.from(
  '/9j/4QCcRXhpZgAASUkqAAgAAAACABIBAwABAAAABgAAACWIBAABAAAAJgAAAAAAAAAEAAEAAgACAAAATgAAAAIABQADAAAAZAAAAAMAAgACAAAARQAAAAQABQADAAAAfAAAAAAAAAAAAAAAAAAAADQAAAABAAAAHwAAAAEAAAA5MAAA6AMAAA0AAAABAAAAGAAAAAEAAAA5MAAA6AMAAP/bAEMACgcHCAcGCggICAsKCgsOGBAODQ0OHRUWERgjHyUkIh8iISYrNy8mKTQpISIwQTE0OTs+Pj4lLkRJQzxINz0+O//bAEMBCgsLDg0OHBAQHDsoIig7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7O//AABEIABAAGAMBIgACEQEDEQH/xAAVAAEBAAAAAAAAAAAAAAAAAAAABv/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAXAQADAQAAAAAAAAAAAAAAAAADBAUG/8QAHxEAAgECBwAAAAAAAAAAAAAAABESAgYBExUjQVFh/9oADAMBAAIRAxEAPwCVXII9FERC4Lg1nL24QfLbXmHQAEMwf//Z',
  'base64',
);
/** The numbers of the position as Exif has them: 12345/1000, 31/1 and 24/1. */
const POSITION = ['39300000e8030000', '1f00000001000000', '1800000001000000'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

/** An AVIF image whose own brand is `mif1`. */
const AVIF = Buffer.from(
  'AAAAHGZ0eXBtaWYxAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAAA+gABAAAAAAAAACMAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAA5waXRtAAAAAAABAAAAVmlwcnAAAAA4aXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAABAAAAAQAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAArbWRhdBIACgg4DP/aQENBpDIVHEJi5OAAFgAAdX1ZvczKjjQTyv7P',
  'base64',
);

test('a photo has no position, is shown upright, and can be sent again', async () => {
  expect(POSITION.every((number) => PHOTO.includes(number))).toBe(true);
  const id = await upload(PHOTO, 'photo.jpg');
  const answer = await call('GET', id);
  const stored = Buffer.from(await answer.arrayBuffer());
  expect(answer.headers.get('content-length')).toBe(String(stored.length));
  expect(POSITION.filter((number) => stored.includes(number))).toEqual([]);
  // The tag that names the directory of the position.
  expect(stored.includes(Buffer.from('2588', 'hex'))).toBe(false);
  const { orientation, width, height } = await sharp(stored).metadata();
  expect({ orientation, width, height }).toEqual({ orientation: 6, width: 24, height: 16 });
  const shown = (image: Buffer) => sharp(image).autoOrient().raw().toBuffer();
  expect(await shown(stored)).toEqual(await shown(PHOTO));

  expect((await put(id, PHOTO)).status).toBe(204);
  expect((await put(id, stored)).status).toBe(204);
  const other = Buffer.from(PHOTO);
  other[other.length - 4]! ^= 1;
  expect(await errorCodeOf(await put(id, other))).toBe('validation_failed');
});

test('AVIF is recognized by its compatible brands, and HEIC is only downloaded', async () => {
  const id = await upload(AVIF, 'a.avif');
  const answer = await call('GET', id);
  expect(answer.headers.get('content-type')).toBe('image/avif');
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(AVIF);
  const heic = Buffer.from(AVIF.toString('latin1').replace('avifmiaf', 'heicmiaf'), 'latin1');
  const downloaded = await call('GET', await upload(heic, 'a.heic'));
  expect(downloaded.headers.get('content-type')).toBe('application/octet-stream');
});
