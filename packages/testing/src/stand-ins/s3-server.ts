import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import S3rver from 's3rver';

export const S3_KEY = { id: 'S3RVER', secret: 'S3RVER' };

export interface S3TestServer extends AsyncDisposable {
  /** The URL of an object store in the bucket `desk`, or another one. */
  url(bucket?: string): string;
  /** Answers a request instead of the server, if it returns true. */
  intercept: (req: IncomingMessage, res: ServerResponse) => boolean;
}

/** Starts an S3 server with the bucket `desk`, which stores in a folder. It rejects requests without a valid signature. */
export async function startS3Server(directory: string): Promise<S3TestServer> {
  const s3 = new S3rver({ silent: true, directory, configureBuckets: [{ name: 'desk', configs: [] }] });
  await s3.configureBuckets();
  deleteOneByOne(s3);
  const handle = s3.callback();
  // The server itself checks only signatures of version 2.
  const server = createServer((req, res) => {
    if (!hasSignature(req)) rejectS3(res, 403, 'SignatureDoesNotMatch', 'The signature does not match.');
    else if (!started.intercept(req, res)) return handle(req, res);
    req.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started: S3TestServer = {
    intercept: () => false,
    url: (bucket = 'desk') => `s3://${bucket}/files?endpoint=${encodeURIComponent(endpoint)}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return started;
}

interface Store {
  deleteObject(bucket: string, key: string): Promise<void>;
}

/** Lets a server delete one object at a time: two that are the last of a folder would both remove it, and the second would fail. */
function deleteOneByOne(s3: S3rver): void {
  const { store } = s3 as unknown as { store: Store };
  const deleteObject = store.deleteObject.bind(store);
  let last = Promise.resolve();
  store.deleteObject = (bucket, key) => {
    const deleted = last.then(() => deleteObject(bucket, key));
    last = deleted.catch(() => {});
    return deleted;
  };
}

/** Answers a request with an error of S3. */
export function rejectS3(res: ServerResponse, status: number, code: string, message: string): void {
  res.writeHead(status, { 'content-type': 'application/xml' });
  res.end(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/((\d{8})\/([^/]+)\/s3\/aws4_request), SignedHeaders=([^,]+), Signature=(\w{64})$/;

/** Returns whether a request has a valid signature (AWS Signature Version 4). */
function hasSignature({ method, url, headers }: IncomingMessage): boolean {
  const match = AUTHORIZATION.exec(headers.authorization ?? '');
  if (!match) return false;
  const [, keyId, scope, day, region, names, signature] = match as unknown as string[];
  const [path, query = ''] = url!.split('?') as [string, string?];
  const canonical = [
    method,
    path,
    query
      .split('&')
      .filter(Boolean)
      .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
      .sort()
      .join('&'),
    ...names!.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [day!, region!, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${S3_KEY.secret}`,
  );
  return keyId === S3_KEY.id && hmac(key, text).toString('hex') === signature;
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
