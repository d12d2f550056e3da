import { Readable } from 'node:stream';
import { CONTENT_IDLE_MS, type ObjectStore, objectStore } from './object-store.ts';

export interface S3Bucket {
  bucket: string;
  /** Before each key; empty or with a slash at the end. */
  prefix: string;
  region: string;
  /** The address of a server other than Amazon's; null for Amazon's. */
  endpoint: string | null;
}

/** A server that is not connected after this long, or does not begin to answer a read, is unreachable. */
const TIMEOUT_MS = 10_000;
/** A client that sends or reads slowly also stops the connection to the server, and is ended first. */
const IDLE_MS = CONTENT_IDLE_MS + 10_000;
/** Each content that is read takes a connection as long as its client reads it. */
const MAX_READS = 500;
/** What one request can delete. */
const MAX_DELETED = 1_000;

/**
 * Stores contents in a bucket of an S3-compatible server. The credentials come from where Amazon's SDK looks for them: the variables
 * `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, a file, or the role of the machine. The SDK is loaded with the first content.
 */
export function s3Store({ bucket, prefix, region, endpoint }: S3Bucket): ObjectStore {
  let loading: ReturnType<typeof connect> | undefined;
  const load = () => (loading ??= connect({ region, endpoint }));
  const keyOf = (key: string) => prefix + key;
  const deleteObjects = async (keys: readonly string[]) => {
    const { sdk, writer } = await load();
    for (let from = 0; from < keys.length; from += MAX_DELETED) {
      const Objects = keys.slice(from, from + MAX_DELETED).map((Key) => ({ Key }));
      const { Errors = [] } = await writer.send(
        new sdk.DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
      );
      if (Errors[0]) throw new Error(`${Errors[0].Key} cannot be deleted: ${Errors[0].Message}`);
    }
  };
  return objectStore({
    place: `the bucket ${bucket}${endpoint === null ? '' : ` at ${endpoint}`}`,
    async write(key: string, content: AsyncIterable<Uint8Array>, size: number) {
      const { sdk, writer } = await load();
      const Body = Readable.from(content, { objectMode: false });
      // The SDK does not pass on what the content throws, and would wait for the rest until its timeout.
      const abort = new AbortController();
      Body.once('error', () => abort.abort());
      const command = new sdk.PutObjectCommand({
        Bucket: bucket,
        Key: keyOf(key),
        Body,
        ContentLength: size,
      });
      try {
        await allow('s3:PutObject', writer.send(command, { abortSignal: abort.signal }));
      } finally {
        Body.destroy();
      }
    },
    async read(key: string): Promise<Readable | null> {
      const { sdk, reader } = await load();
      try {
        const command = new sdk.GetObjectCommand({ Bucket: bucket, Key: keyOf(key) });
        const { Body } = await allow(
          's3:GetObject, and s3:ListBucket: without it, S3 denies keys that do not exist',
          reader.send(command),
        );
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
      const { sdk, reader } = await load();
      const Prefix = `${keyOf(parts)}/`;
      for (let ContinuationToken: string | undefined, isLast = false; !isLast; ) {
        const command = new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix, ContinuationToken });
        const page = await allow('s3:ListBucket', reader.send(command));
        await deleteObjects((page.Contents ?? []).map(({ Key }) => Key!));
        ContinuationToken = page.NextContinuationToken;
        isLast = ContinuationToken === undefined;
      }
    },
  });
}

/** Awaits a request. If the server denies it, the error says which rights the operator has to grant. */
async function allow<Result>(rights: string, request: Promise<Result>): Promise<Result> {
  return request.catch((error: Error) => {
    if (error.name !== 'AccessDenied') throw error;
    throw new Error(`the server denies access. Allow ${rights}`, { cause: error });
  });
}

async function connect({ region, endpoint }: Pick<S3Bucket, 'region' | 'endpoint'>) {
  const sdk = await import('@aws-sdk/client-s3');
  const common = {
    region,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    // Servers other than Amazon's do not all know the checksums after a body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  } as const;
  const timeouts = { connectionTimeout: TIMEOUT_MS, socketTimeout: IDLE_MS };
  return {
    sdk,
    // A stream can be sent only once. Clients repeat the upload.
    writer: new sdk.S3Client({ ...common, maxAttempts: 1, requestHandler: timeouts }),
    // With connections of its own, so that slow readers delay no upload.
    reader: new sdk.S3Client({
      ...common,
      maxAttempts: 3,
      requestHandler: {
        ...timeouts,
        requestTimeout: TIMEOUT_MS,
        throwOnRequestTimeout: true,
        httpAgent: { maxSockets: MAX_READS },
        httpsAgent: { maxSockets: MAX_READS },
      },
    }),
  };
}
