import { fileURLToPath } from 'node:url';
import { folderStore } from './folder-store.ts';
import type { ObjectStore } from './object-store.ts';
import { type S3Bucket, s3Store } from './s3-store.ts';

const FORM = 'must be s3://BUCKET/PREFIX?region=REGION&endpoint=URL, or file:///FOLDER';
const PARAMETERS = ['region', 'endpoint'];

/**
 * Opens the object store that a URL names: `s3://BUCKET/PREFIX?region=REGION&endpoint=URL` or `file:///FOLDER`, a folder that all processes share.
 * Connects to nothing. Throws a `TypeError` that says what is wrong with the URL.
 */
export function openObjectStore(url: string): ObjectStore {
  const parsed = URL.parse(url);
  if (parsed?.protocol === 'file:' && parsed.host === '' && parsed.pathname.length > 1)
    return folderStore(fileURLToPath(parsed));
  if (parsed?.protocol !== 's3:' || parsed.host === '') throw new TypeError(FORM);
  return s3Store(bucketOf(parsed));
}

function bucketOf({ username, password, host, pathname, searchParams }: URL): S3Bucket {
  if (username || password)
    throw new TypeError('must not contain credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) throw new TypeError(`has the unknown parameter ${unknown}: ${FORM}`);
  const endpoint = searchParams.get('endpoint');
  if (endpoint !== null && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw new TypeError('has an endpoint that is not an http or https URL');
  const prefix = decodeURIComponent(pathname).replaceAll(/^\/+|(?<!\/)\/+$/g, '');
  return {
    bucket: host,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region: searchParams.get('region') ?? 'us-east-1',
    endpoint,
  };
}
