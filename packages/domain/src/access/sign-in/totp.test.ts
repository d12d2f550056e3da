import { expect, test } from 'vitest';
import { codeAt, stepOf, toBase32 } from './totp.ts';

const SECRET = Buffer.from('12345678901234567890');

// RFC 6238, appendix B, SHA-1; the last six of eight digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %d seconds the code is %s', (seconds, code) => {
  expect(codeAt(SECRET, Math.floor(seconds / 30))).toBe(code);
  const at = (offset: number) => stepOf(SECRET, code, new Date((seconds + offset) * 1_000));
  for (const offset of [-30, 0, 30]) expect(at(offset)).toBe(Math.floor(seconds / 30));
  for (const offset of [-90, 90]) expect(at(offset)).toBeNull();
});

test('secrets are written in base32 as RFC 4648 does', () => {
  const texts = { '': '', f: 'MY', fo: 'MZXQ', foo: 'MZXW6', foob: 'MZXW6YQ', fooba: 'MZXW6YTB' };
  for (const [text, encoded] of Object.entries(texts)) expect(toBase32(Buffer.from(text))).toBe(encoded);
});
