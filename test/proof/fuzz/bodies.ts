/** Encodings of a JSON object, most of them invalid. */
export const bodyForms = [
  'plain',
  'empty',
  'spaced',
  'duplicate-key',
  'duplicate-proto',
  'truncated',
  'followed',
  'byte-order-mark',
  'invalid-utf8',
  'utf16',
  'in-array',
  'as-text',
  'deep',
  'huge',
  'huge-number',
  'not-a-number',
] as const;

/** Encodes the object in one of the forms. */
export function encodeBody(form: (typeof bodyForms)[number], value: Record<string, unknown>): Buffer {
  const text = JSON.stringify(value);
  const first = Object.keys(value)[0] ?? 'a';
  switch (form) {
    case 'plain':
      return Buffer.from(text);
    case 'empty':
      return Buffer.alloc(0);
    case 'spaced':
      return Buffer.from(` \n\t${text}\r\n `);
    case 'duplicate-key':
      return Buffer.from(`{${JSON.stringify(first)}:[1],${text.slice(1)}`.replace(/,}$/, '}'));
    case 'duplicate-proto':
      return Buffer.from(`{"__proto__":{"isStaff":true},"__proto__":1,${text.slice(1)}`.replace(/,}$/, '}'));
    case 'truncated':
      return Buffer.from(text.slice(0, Math.ceil(text.length / 2)));
    case 'followed':
      return Buffer.from(`${text}{}`);
    case 'byte-order-mark':
      return Buffer.from(`\ufeff${text}`);
    case 'invalid-utf8':
      return Buffer.concat([
        Buffer.from(`{${JSON.stringify(first)}:"`),
        Buffer.from([0xc3, 0x28, 0xff]),
        Buffer.from('"}'),
      ]);
    case 'utf16':
      return Buffer.from(text, 'utf16le');
    case 'in-array':
      return Buffer.from(`[${text}]`);
    case 'as-text':
      return Buffer.from(JSON.stringify(text));
    case 'deep':
      return Buffer.from(`{${JSON.stringify(first)}:${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
    case 'huge':
      return Buffer.from(JSON.stringify({ ...value, [first]: 'x'.repeat(70_000) }));
    case 'huge-number':
      return Buffer.from(`{${JSON.stringify(first)}:1e999,${text.slice(1)}`.replace(/,}$/, '}'));
    case 'not-a-number':
      return Buffer.from(`{${JSON.stringify(first)}:NaN}`);
  }
}
