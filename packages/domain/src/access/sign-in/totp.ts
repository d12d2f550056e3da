import { createHmac, timingSafeEqual } from 'node:crypto';

/** RFC 6238 with the parameters that every authenticator app knows: SHA-1, six digits, 30 seconds. */
const STEP_MS = 30_000;
const DIGITS = 6;
/** A code is accepted one step before and after its own, because clocks differ. */
const WINDOW = 1;

/** Returns the code of a time step (RFC 4226 §5.3). */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.at(-1)! & 0x0f;
  const number = (mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/** Returns the time step of a code that is valid now, or null. Compares in constant time. */
export function stepOf(secret: Buffer, code: string, now: Date): number | null {
  const current = Math.floor(now.getTime() / STEP_MS);
  const presented = Buffer.from(code);
  let found: number | null = null;
  for (let step = Math.max(0, current - WINDOW); step <= current + WINDOW; step++) {
    const expected = Buffer.from(codeAt(secret, step));
    if (presented.length === expected.length && timingSafeEqual(presented, expected)) found = step;
  }
  return found;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns bytes in base32 (RFC 4648), as authenticator apps read secrets. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(buffer >>> (bits - 5)) & 31];
    buffer &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET[(buffer << (5 - bits)) & 31] : text;
}
