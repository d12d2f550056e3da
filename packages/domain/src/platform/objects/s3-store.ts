import { Readable } from 'node:stream';
import { ensureKey, type ObjectStore, tryStore } from './object-store.ts';

export interface S3Bucket {
  bucket: string;
  /** Before each key; empty or with a slash at the end. */
  prefix: string;
  region: string;
  /** The address of a server other than Amazon's; null for Amazon's. */
  endpoint: string | null;
}

/** A server that answers nothing for this long is unreachable. */
const TIMEOUT_MS = 10_000;
/** What one request can delete. */
const MAX_DELETED = 1_000;

/**
 * Stores contents in a bucket of an S3-compatible server. The credentials come from where Amazon's SDK looks for them: the variables
 * `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, a file, or the role of the machine. The SDK is loaded with the first content.
 */
export function s3Store({ bucket, prefix, region, endpoint }: S3Bucket): ObjectStore {
  let loading: ReturnType<typeof connect> | undefined;
  const load = () => (loading ??= connect({ region, endpoint }));
  const keyOf = (key: string) => {
    ensureKey(key);
    return prefix + key;
  };
  const deleteObjects = async (keys: readonly string[]) => {
    const { sdk, client } = await load();
    for (let from = 0; from < keys.length; from += MAX_DELETED) {
      const Objects = keys.slice(from, from + MAX_DELETED).map((Key) => ({ Key }));
      const { Errors = [] } = await client.send(
        new sdk.DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
      );
      if (Errors[0]) throw new Error(`${Errors[0].Key} cannot be deleted: ${Errors[0].Message}`);
    }
  };
  const store = {
    place: `the bucket ${bucket}${endpoint === null ? '' : ` at ${endpoint}`}`,
    async write(key: string, content: AsyncIterable<Uint8Array>, size: number) {
      const { sdk, client } = await load();
      const Body = Readable.from(content, { objectMode: false });
      // The SDK does not pass on what the content throws, and would wait for the rest until its timeout.
      let failure: unknown;
      const abort = new AbortController();
      Body.once('error', (error) => {
        failure = error;
        abort.abort();
      });
      try {
        await client.send(
          new sdk.PutObjectCommand({ Bucket: bucket, Key: keyOf(key), Body, ContentLength: size }),
          { abortSignal: abort.signal },
        );
      } catch (error) {
        throw failure ?? error;
      } finally {
        Body.destroy();
      }
    },
    async read(key: string): Promise<Readable | null> {
      const { sdk, client } = await load();
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: keyOf(key) }));
        return Body as Readable;
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return null;
        throw error;
      }
    },
    async delete(keys: readonly string[]) {
      await deleteObjects(keys.map(keyOf));
    },
    async deleteFolder(parts: string) {
      const { sdk, client } = await load();
      const Prefix = `${keyOf(parts)}/`;
      for (let ContinuationToken: string | undefined, isLast = false; !isLast; ) {
        const page = await client.send(
          new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix, ContinuationToken }),
        );
        await deleteObjects((page.Contents ?? []).map(({ Key }) => Key!));
        ContinuationToken = page.NextContinuationToken;
        isLast = ContinuationToken === undefined;
      }
    },
  };
  return { ...store, check: () => tryStore(store) };
}

async function connect({ region, endpoint }: Pick<S3Bucket, 'region' | 'endpoint'>) {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    // A stream can be sent only once. Clients repeat the upload.
    maxAttempts: 1,
    // Servers other than Amazon's do not all know the checksums after a body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
  });
  return { sdk, client };
}
