import { randomBytes } from 'node:crypto';
import { type IdKind, idPrefixes } from '@firmdesk/contract';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns bytes as lower-case Crockford base32, most significant bit first. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(buffer >> bits) & 31];
    }
  }
  return bits > 0 ? text + ALPHABET[(buffer << (5 - bits)) & 31] : text;
}

/** Returns a new id: a prefix, 50 bits of milliseconds, so that ids sort by age, and 80 random bits. */
export function newId(kind: IdKind, now: Date): string {
  let time = now.getTime();
  let head = '';
  for (let i = 0; i < 10; i++) {
    head = ALPHABET[time % 32] + head;
    time = Math.floor(time / 32);
  }
  return `${idPrefixes[kind]}${head}${base32(randomBytes(10))}`;
}
