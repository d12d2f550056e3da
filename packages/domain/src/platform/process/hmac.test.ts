import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hmacSha256 } from './hmac.ts';

test('computes what Node computes, for keys and texts of all lengths around a block', () => {
  for (const keyLength of [0, 1, 31, 32, 63, 64]) {
    const key = randomBytes(keyLength);
    const mac = hmacSha256(key);
    for (const length of [0, 1, 55, 56, 63, 64, 65, 1_000]) {
      const data = randomBytes(length);
      expect(mac(data)).toEqual(createHmac('sha256', key).update(data).digest());
    }
  }
});

test('refuses a key that is longer than a block', () => {
  expect(() => hmacSha256(randomBytes(65))).toThrow(RangeError);
});
