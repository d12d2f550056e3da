import { expect, test } from 'vitest';
import { Email } from './email.ts';

test.each([
  'ann@example.com',
  "Ann.O'Neil+desk@Mail.Example.co.uk",
  'bounces=ann=example.com@list.example',
  'jürgen@exämple.de',
  'ju\u0308rgen@exa\u0308mple.de',
  '用户@例子.广告',
  'θσερ@εχαμπλε.ψομ',
  'अजय@डाटा.भारत',
  '😀@example.com',
  'ann@xn--exmple-cua.de',
  'ann@example.xn--p1ai',
  `${'ü'.repeat(32)}@example.com`,
  `a@${'b'.repeat(63)}.com`,
])('accepts %s unchanged', (address) => {
  expect(Email.parse(address)).toBe(address);
});

test.each([
  ['no @', 'example.com'],
  ['no local part', '@example.com'],
  ['no domain', 'ann@'],
  ['a domain of one label', 'ann@example'],
  ['two @', 'ann@bob@example.com'],
  ['two dots in the local part', 'a..b@x.com'],
  ['a dot at the start', '.a@x.com'],
  ['a dot before @', 'a.@x.com'],
  ['two dots in the domain', 'a@x..com'],
  ['a dot at the end', 'a@x.com.'],
  ['a label that starts with a hyphen', 'a@-x.com'],
  ['a label that ends with a hyphen', 'a@x-.com'],
  ['a label that starts with a combining mark', 'a@\u0308x.com'],
  ['an IP address', 'a@127.0.0.1'],
  ['an address literal', 'a@[127.0.0.1]'],
  ['a top-level domain of one letter', 'a@x.c'],
  ['a space', 'a b@x.com'],
  ['a space at the end', 'a@x.com '],
  ['a no-break space', 'a\u00a0b@x.com'],
  ['a line break', 'a@x.com\r\nBcc: b@x.com'],
  ['a NUL', 'a\0@x.com'],
  ['a C1 control character', 'a\u0085@x.com'],
  ['a zero-width space', 'a\u200b@x.com'],
  ['a right-to-left override', 'a\u202eb@x.com'],
  ['a half surrogate pair', 'a\ud83d@x.com'],
  ['a full-width @', 'a＠x.com'],
  ['an ideographic full stop', 'a@x。com'],
  ['a full-width less-than sign', 'a＜b@x.com'],
  ['a quoted local part', '"a b"@x.com'],
  ['a display name', 'Ann <a@x.com>'],
  ['a comma', 'a,b@x.com'],
  ['65 octets before @', `${'a'.repeat(65)}@x.com`],
  ['33 characters of two octets before @', `${'ü'.repeat(33)}@x.com`],
  ['a label of 64 octets', `a@${'b'.repeat(64)}.com`],
  ['a label of 32 characters of two octets', `a@${'ä'.repeat(32)}.de`],
  ['255 octets', `a@${'b'.repeat(62)}.${'b'.repeat(62)}.${'b'.repeat(62)}.${'b'.repeat(60)}.com`],
])('rejects %s', (_, address) => {
  expect(Email.safeParse(address).success).toBe(false);
});
