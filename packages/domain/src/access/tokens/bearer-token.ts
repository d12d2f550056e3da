import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { TokenEnvironment } from '@firmdesk/contract';
import { base32, newId } from '../../platform/process/ids.ts';

/** `fd_live_` or `fd_test_`, then the id (26 characters), the secret (200 random bits in 40 characters) and a checksum (7). */
const FORM = /^fd_(live|test)_([0-9a-hjkmnp-tv-z]{26})([0-9a-hjkmnp-tv-z]{40})([0-9a-hjkmnp-tv-z]{7})$/;

export interface GeneratedToken {
  id: string;
  /** The plaintext; shown once and never stored. */
  text: string;
  secretHash: Buffer;
}

/** Generates a token with a new id and secret. Stores nothing. */
export function generateToken(environment: TokenEnvironment, now: Date): GeneratedToken {
  return generateSecret(newId('token', now), environment);
}

/** Generates a new secret for the token with an id. Stores nothing. */
export function generateSecret(id: string, environment: TokenEnvironment): GeneratedToken {
  const secret = base32(randomBytes(25));
  const unchecked = `fd_${environment}_${id.slice('key_'.length)}${secret}`;
  return { id, text: unchecked + checksum(unchecked), secretHash: hashOf(secret) };
}

export interface PresentedToken {
  id: string;
  environment: TokenEnvironment;
  secretHash: Buffer;
}

/** Parses a token into its id and the hash of its secret. Returns null if the form or the checksum is wrong, so that random texts cost no query. */
export function parseToken(text: string): PresentedToken | null {
  const [, environment, id, secret, check] = FORM.exec(text) ?? [];
  if (!id || !secret || !check || checksum(text.slice(0, -check.length)) !== check) return null;
  return { id: `key_${id}`, environment: environment as TokenEnvironment, secretHash: hashOf(secret) };
}

/** Compares hashes in constant time. */
export function isSameHash(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return base32(bytes);
}
