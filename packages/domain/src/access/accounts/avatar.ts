import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { MAX_AVATAR_URL } from '@firmdesk/contract';
import { stripMetadata } from '../../platform/images/strip-metadata.ts';
import type { Services } from '../../platform/services.ts';
import { type ImageType, imageType } from './image-type.ts';

/*
 * Avatars. `users.avatar_url` holds the URL of another server, or a picture as a `data:` URL. A picture has its hash in
 * `users.avatar_hash`, and the gateway serves it at `/avatars/HASH` (docs/decisions/0043).
 */

const PATH = '/avatars/';

export interface Picture {
  type: ImageType;
  content: Buffer;
}

/** Returns the hash of a picture in a `data:` URL; null for a URL of another server. */
export function avatarHash(url: string): string | null {
  return isData(url) ? createHash('sha256').update(url).digest('hex') : null;
}

/** Returns whether an account may have the avatar: an http(s) URL, or a picture that the gateway can serve. */
export function isAvatar(url: string): boolean {
  return isData(url) ? decodePicture(url) !== null : /^https?:$/.test(URL.parse(url)?.protocol ?? '');
}

/** Returns an SQL expression for the avatar of an account: a path of the gateway, the URL of another server, or null. */
export function selectAvatar(account: string): string {
  return `coalesce('${PATH}' || ${account}.avatar_hash, ${account}.avatar_url)`;
}

/** Returns the URL of what {@link selectAvatar} selects. */
export function avatarUrl({ publicUrl }: Pick<Services, 'publicUrl'>, avatar: string | null): string | null {
  return avatar?.startsWith(PATH) ? publicUrl() + avatar : avatar;
}

/** Returns the picture with a hash, without its metadata; null if no account has it. */
export async function readAvatar({ pool }: Pick<Services, 'pool'>, hash: string): Promise<Picture | null> {
  const { rows } = await pool.query<{ avatar_url: string }>({
    name: 'avatar',
    text: 'select avatar_url from users where avatar_hash = $1 and length(avatar_url) <= $2 limit 1',
    values: [hash, MAX_AVATAR_URL],
  });
  return rows[0] ? openPicture(rows[0].avatar_url) : null;
}

/** Returns the picture in a `data:` URL as it is served, without its metadata; null if the gateway cannot serve it. */
export async function openPicture(url: string): Promise<Picture | null> {
  const picture = decodePicture(url);
  if (!picture) return null;
  return { ...picture, content: await buffer(stripMetadata(picture.type, one(picture.content))) };
}

async function* one(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

function isData(url: string): boolean {
  return /^data:/i.test(url);
}

/** Returns the picture in a `data:` URL (RFC 2397); null if it is too long or not of a type that the gateway serves. */
export function decodePicture(url: string): Picture | null {
  if (url.length > MAX_AVATAR_URL) return null;
  const comma = url.indexOf(',');
  if (comma < 0) return null;
  const content = decodeData(url.slice(comma + 1), /;\s*base64$/i.test(url.slice(0, comma).trimEnd()));
  // The declared type is not used: the content decides.
  const type = content && imageType(content);
  return type ? { type, content } : null;
}

function decodeData(data: string, isBase64: boolean): Buffer | null {
  try {
    return Buffer.from(decodeURIComponent(data), isBase64 ? 'base64' : 'utf8');
  } catch {
    return null;
  }
}
