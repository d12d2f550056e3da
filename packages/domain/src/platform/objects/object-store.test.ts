import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { rejectS3, S3_KEY, type S3TestServer, startS3Server } from '@firmdesk/testing/s3-server';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { CONTENT_IDLE_MS, type ObjectStore } from './object-store.ts';
import { openObjectStore } from './open-object-store.ts';

const folder = await mkdtemp(join(tmpdir(), 'firmdesk-store-'));
let s3: S3TestServer;

beforeAll(async () => {
  s3 = await startS3Server(join(folder, 's3'));
  vi.stubEnv('AWS_ACCESS_KEY_ID', S3_KEY.id);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', S3_KEY.secret);
});
afterAll(async () => {
  await s3[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

// Makes the garbage collector available, to measure what is really held.
setFlagsFromString('--expose-gc');
const collectOnce = runInNewContext('gc') as () => void;
/** The memory of buffers is freed in the background, which the next collection awaits. */
function collectGarbage(): void {
  collectOnce();
  collectOnce();
}

async function* pieces(...texts: (string | Error)[]): AsyncGenerator<Buffer> {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    yield Buffer.from(text);
  }
}

async function textOf(store: ObjectStore, key: string): Promise<string | null> {
  const content = await store.read(key);
  return content && Buffer.concat(await content.toArray()).toString();
}

const MEGABYTE = 1_048_576;

describe.each<[kind: string, open: () => ObjectStore]>([
  ['a folder', () => openObjectStore(pathToFileURL(join(folder, 'own folder')).href)],
  ['a bucket of an S3 server', () => openObjectStore(s3.url())],
])('%s', (_kind, open) => {
  test('returns what was written, replaces it, and deletes it', async () => {
    const store = open();
    expect(await store.read('1/att_a')).toBe(null);
    await store.write('1/att_a', pieces('first ', 'content'), 13);
    await store.write('1/att_b', pieces('other'), 5);
    expect(await textOf(store, '1/att_a')).toBe('first content');
    await store.write('1/att_a', pieces('second'), 6);
    expect(await textOf(store, '1/att_a')).toBe('second');
    await store.delete(['1/att_a', '1/unknown']);
    expect([await textOf(store, '1/att_a'), await textOf(store, '1/att_b')]).toEqual([null, 'other']);
    await store.check();
  });

  test('deletes all contents of a folder, and no others', async () => {
    const store = open();
    for (const key of ['7/att_a', '7/att_b-small', '7/more/att_c', '77/att_d'])
      await store.write(key, pieces('text'), 4);
    await store.deleteFolder('7');
    expect(await textOf(store, '7/att_a')).toBe(null);
    expect(await textOf(store, '7/att_b-small')).toBe(null);
    expect(await textOf(store, '7/more/att_c')).toBe(null);
    expect(await textOf(store, '77/att_d')).toBe('text');
    await store.deleteFolder('7');
  });

  test('throws the error with which a content ends', async () => {
    const failure = new Error('interrupted');
    await expect(open().write('1/att_c', pieces('begin', failure), 10)).rejects.toBe(failure);
  });

  test('streams a large content without holding it in memory', async () => {
    const store = open();
    const chunk = Buffer.alloc(MEGABYTE, 7);
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const measure = () => {
      collectGarbage();
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    };
    async function* large() {
      for (let written = 0; written < 200; written++) {
        if (written % 20 === 0) measure();
        yield Buffer.from(chunk);
      }
    }
    await store.write('1/att_large', large(), 200 * MEGABYTE);
    let read = 0;
    let checked = 0;
    for await (const part of (await store.read('1/att_large'))!) {
      read += (part as Buffer).length;
      if (read < checked + 20 * MEGABYTE) continue;
      checked = read;
      measure();
    }
    expect(read).toBe(200 * MEGABYTE);
    // The server of a bucket runs in this process too, with buffers of its own.
    expect(most).toBeLessThan((store.place.startsWith('the bucket') ? 80 : 40) * MEGABYTE);
    await store.delete(['1/att_large']);
  });

  test.each(['../secret', '/etc/passwd', 'a/../b', '', 'a b'])('rejects the key "%s"', async (key) => {
    await expect(open().read(key)).rejects.toThrow('is not the key');
  });
});

test('a folder keeps no part of an interrupted content', async () => {
  const store = openObjectStore(pathToFileURL(join(folder, 'parts')).href);
  await expect(store.write('1/att_d', pieces('begin', new Error('interrupted')), 10)).rejects.toThrow();
  expect(await store.read('1/att_d')).toBe(null);
  expect(await readdir(join(folder, 'parts/1/att_d'))).toEqual([]);
});

test('contents of a bucket that are read slowly delay no other ones', async () => {
  const store = openObjectStore(s3.url());
  await store.write('1/att_slow', pieces('a'.repeat(5 * MEGABYTE)), 5 * MEGABYTE);
  const slow = await Promise.all(Array.from({ length: 60 }, () => store.read('1/att_slow')));
  await store.write('1/att_other', pieces('other'), 5);
  expect(await textOf(store, '1/att_other')).toBe('other');
  for (const content of slow) {
    // After the time for which a client may read nothing. The SDK sets it when the connection is some seconds old.
    const { socket } = content as unknown as IncomingMessage;
    await expect.poll(() => socket.timeout, { timeout: 30_000 }).toBeGreaterThan(CONTENT_IDLE_MS);
    content!.destroy();
  }
});

describe('a bucket whose server fails', () => {
  const failOnce = (method: string) => {
    let requests = 0;
    s3.intercept = (req, res) => {
      if (req.method !== method || requests++ > 0) return false;
      rejectS3(res, 503, 'SlowDown', 'Please reduce your request rate.');
      return true;
    };
    return () => requests;
  };
  afterEach(() => {
    s3.intercept = () => false;
  });

  test('is asked again for a content, but does not get one twice', async () => {
    const store = openObjectStore(s3.url());
    await store.write('1/att_e', pieces('text'), 4);
    const reads = failOnce('GET');
    expect(await textOf(store, '1/att_e')).toBe('text');
    expect(reads()).toBe(2);
    const writes = failOnce('PUT');
    await expect(store.write('1/att_f', pieces('text'), 4)).rejects.toMatchObject({
      apiCode: 'unavailable',
      cause: { name: 'SlowDown' },
    });
    expect(writes()).toBe(1);
  });

  test('is unavailable if it closes the connection, also in a content', async () => {
    const store = openObjectStore(s3.url());
    s3.intercept = (_req, res) => {
      res.destroy();
      return true;
    };
    const unavailable = { apiCode: 'unavailable', retryAfterSeconds: 10 };
    await expect(store.read('1/att_e')).rejects.toMatchObject(unavailable);
    await expect(store.delete(['1/att_e'])).rejects.toMatchObject(unavailable);
    s3.intercept = (_req, res) => {
      res.writeHead(200, { 'content-length': 10 });
      res.write('begin', () => res.destroy());
      return true;
    };
    await expect((await store.read('1/att_e'))!.toArray()).rejects.toThrow('aborted');
  });

  test('says which right is missing, if it denies keys that do not exist', async () => {
    const denied = (isDenied: (req: IncomingMessage) => boolean) => {
      s3.intercept = (req, res) => {
        if (!isDenied(req)) return false;
        rejectS3(res, 403, 'AccessDenied', 'Access Denied');
        return true;
      };
    };
    const store = openObjectStore(s3.url());
    denied(({ method, url }) => method === 'GET' && url!.includes('/att_none'));
    const message = expect.stringContaining('Allow s3:GetObject, and s3:ListBucket');
    await expect(store.read('1/att_none')).rejects.toMatchObject({
      apiCode: 'unavailable',
      cause: { message },
    });
    denied(({ method, url }) => method === 'GET' && url!.includes('list-type'));
    await expect(store.check()).rejects.toThrow('Allow s3:ListBucket');
    let isDeleted = false;
    denied(({ method }) => {
      isDeleted ||= method === 'POST';
      return isDeleted && method === 'GET';
    });
    await expect(store.check()).rejects.toThrow('Allow s3:GetObject, and s3:ListBucket');
    denied(({ method }) => method === 'PUT');
    await expect(store.check()).rejects.toThrow('Allow s3:PutObject');
  });
});

test('a check fails for a bucket that does not exist, and for wrong credentials', async () => {
  await expect(openObjectStore(s3.url('absent')).check()).rejects.toThrow(/bucket/);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wrong');
  await expect(openObjectStore(s3.url()).check()).rejects.toThrow(/signature/);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
});

test.each<[url: string, problem: string]>([
  ['desk', 'must be s3://BUCKET'],
  ['https://desk.example/bucket', 'must be s3://BUCKET'],
  ['s3://', 'must be s3://BUCKET'],
  ['file:///', 'must be s3://BUCKET'],
  ['s3://key:secret@desk', 'must not contain credentials'],
  ['s3://desk?zone=eu', 'has the unknown parameter zone'],
  ['s3://desk?endpoint=minio:9000', 'has an endpoint that is not an http or https URL'],
])('rejects the URL %s', (url, problem) => {
  expect(() => openObjectStore(url)).toThrow(problem);
});
