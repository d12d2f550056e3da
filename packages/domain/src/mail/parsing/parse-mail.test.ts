import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createMailParser,
  parseMail as parseInQueue,
  type RawMail,
  UnreadableMailError,
} from './parse-mail.ts';

const parseMail = (message: RawMail) => parseInQueue('1', message);
const parse = (text: string) => parseMail(Buffer.from(text.replaceAll('\n', '\r\n')));

describe('the corpus', () => {
  const folder = new URL('../corpus/', import.meta.url);
  const textOf = (name: string) => readFileSync(new URL(name, folder), 'utf8');
  const messages = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  test.each(messages)('%s is parsed as its .expected.json says', async (name) => {
    const expected = JSON.parse(textOf(name.replace('.eml', '.expected.json')));
    const { files, contentDigest, searchText: _, ...mail } = await parse(textOf(name));
    const described = files.map(({ content, ...file }) => ({
      ...file,
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    }));
    expect({ ...mail, files: described }).toEqual(expected);
    expect(contentDigest).toMatch(/^sha256:/);
  });
});

describe('an ordinary message', () => {
  test('is parsed with its addresses, ids, date and HTML', async () => {
    const mail = await parse(`From: =?utf-8?q?J=C3=BCrgen_M?= <jm@example.com>
To: "Desk, Trading" <desk@example.com>, Team: a@example.com, b@example.com;
Cc: ann@example.com
Subject: =?utf-8?b?R3LDvMOfZQ==?=
Date: Tue, 12 Aug 2008 13:19:14 -0700
Message-ID: <one@example.com>
In-Reply-To: <zero@example.com>
Reply-To: =?utf-8?Q?Gr=C3=BC=C3=9Fe?= <answers@example.com>, undisclosed: ;
References: <minus@example.com>
 <zero@example.com>
Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain

plain
--b
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<p>rich =E2=82=AC</p>
--b--
`);
    expect(mail).toEqual({
      from: { email: 'jm@example.com', name: 'Jürgen M' },
      sender: null,
      to: [
        { email: 'desk@example.com', name: 'Desk, Trading' },
        { email: 'a@example.com', name: null },
        { email: 'b@example.com', name: null },
      ],
      cc: [{ email: 'ann@example.com', name: null }],
      bcc: [],
      subject: 'Grüße',
      body: '<p>rich €</p>',
      snippet: 'rich €',
      searchText: [
        'jurgen m jm@example.com',
        'desk, trading desk@example.com a@example.com b@example.com ann@example.com',
        'grusse',
        '',
        'rich €',
      ].join('\n'),
      date: '2008-08-12T20:19:14.000Z',
      messageId: 'one@example.com',
      contentDigest: expect.stringMatching(/^sha256:/),
      inReplyTo: 'zero@example.com',
      references: ['minus@example.com', 'zero@example.com'],
      isAutomatic: false,
      isAutoSubmitted: false,
      suppressesAnswers: false,
      replyTo: [{ email: 'answers@example.com', name: 'Grüße' }],
      report: null,
      calendarParts: [],
      files: [],
      leftOut: [],
    });
  });

  test('converts plain text to HTML that preserves white space', async () => {
    const mail = await parse('Subject: x\n\n1 < 2\n  & more <script>\n');
    expect(mail.body).toBe('<div style="white-space: pre-wrap">1 &lt; 2\n  &amp; more &lt;script&gt;</div>');
    expect(mail.snippet).toBe('1 < 2 & more <script>');
  });

  test('has an empty text if it only has an attachment', async () => {
    const mail = await parse('Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\nAAAA\n');
    expect(mail).toMatchObject({ body: '', snippet: '', subject: '', from: { email: '', name: null } });
  });
});

describe('charsets', () => {
  const body = async (charset: string, bytes: Buffer) =>
    (
      await parseMail(
        Buffer.concat([Buffer.from(`Content-Type: text/html; charset=${charset}\r\n\r\n`), bytes]),
      )
    ).body.trim();

  test.each(['us-ascii', 'iso-8859-1', 'iso-2022-jp', 'utf-8', 'nonsense', '"'])(
    'decodes UTF-8 that is declared as %s',
    async (charset) => expect(await body(charset, Buffer.from('Grüße für 5 €'))).toBe('Grüße für 5 €'),
  );
  test.each(['us-ascii', 'iso-8859-1', 'utf-8'])('decodes Latin-1 that is declared as %s', async (charset) =>
    expect(await body(charset, Buffer.from('Grüße', 'latin1'))).toBe('Grüße'),
  );
  test('honours other charsets that are declared correctly', async () => {
    expect(await body('koi8-r', Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]))).toBe('Привет');
    expect(await body('shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]))).toBe('日本');
  });
  test('decodes raw 8-bit headers', async () => {
    const mail = await parseMail(
      Buffer.from('Subject: Grüße\r\nFrom: Jürgen <j@example.com>\r\n\r\n', 'latin1'),
    );
    expect(mail).toMatchObject({ subject: 'Grüße', from: { name: 'Jürgen' } });
  });
});

describe('hostile messages', () => {
  test('bounds headers of any length', async () => {
    const many = Array.from({ length: 2000 }, (_, i) => `<${i}@example.com>`);
    const mail = await parse(`Subject: ${'s'.repeat(5000)}
From: ${'n'.repeat(5000)} <${'a'.repeat(5000)}@example.com>
To: ${many.map((id) => id.slice(1, -1)).join(', ')}
References: ${many.join(' ')}
Message-ID: <${'m'.repeat(5000)}@example.com>
Date: Fri, 31 Dec 275760 23:59:59 +0000

hi`);
    expect(mail.subject).toHaveLength(998);
    expect(mail.from.email.length).toBeLessThanOrEqual(254);
    expect(mail.from.name?.length).toBeLessThanOrEqual(200);
    expect(mail.to).toHaveLength(500);
    expect(mail.references).toHaveLength(50);
    expect(mail.references[0]).toBe('0@example.com');
    expect(mail.references.at(-1)).toBe('1999@example.com');
    expect(mail.messageId).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(mail.date).toBeNull();
  });

  test('removes control characters, NULs and lone surrogates', async () => {
    const mail = await parse(
      'Subject: a\0b =?utf-8?q?c=0D=0Ad=00?=\nContent-Type: text/html; charset=utf-16le\n\n\0\0\ud800',
    );
    expect(mail.subject).toBe('a b c d');
    for (const text of [mail.subject, mail.body, mail.snippet]) {
      expect(text).not.toContain('\0');
      expect(text.isWellFormed()).toBe(true);
    }
  });

  test('rejects headers of more than a megabyte', async () => {
    await expect(parse(`X: ${'x'.repeat(1_100_000)}\n\nhi`)).rejects.toThrow(/header size/);
  });
  test('rejects parts that are nested too deeply', async () => {
    let deep = '';
    for (let i = 0; i < 100; i++) deep += `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n`;
    await expect(parse(`${deep}\nhi`)).rejects.toThrow(/nesting/);
  });
  test('rejects more than 36 MiB', async () => {
    await expect(parseMail(Buffer.alloc(36 * 1024 * 1024 + 1))).rejects.toThrow(
      'must not be larger than 36 MiB',
    );
  });
  test('rejects a text of more than ten million characters', async () => {
    await expect(parse(`\n${'x'.repeat(10 * 1024 * 1024 + 1)}`)).rejects.toThrow(
      'must not have a text of more than',
    );
  });
  test('rejects more than a million lines', async () => {
    await expect(parseMail(Buffer.alloc(1_000_001, '\n'))).rejects.toThrow(
      'must not have more than 1000000 lines',
    );
  });
  test('accepts a million lines', async () => {
    expect((await parseMail(Buffer.alloc(1_000_000, '\n'))).body).toBe('');
  });
  test('rejects more than ten thousand parts', async () => {
    const parts = `Content-Type: multipart/mixed; boundary=b\n\n${'--b\n\nx\n'.repeat(10_001)}`;
    await expect(parse(parts)).rejects.toThrow('must not have more than 10000 parts');
  });
  const lines = Buffer.from(`Content-Type: text/plain; format=flowed\n\n${'x\n'.repeat(900_000)}`);
  test('rejects a message that takes too much time', async () => {
    const parseWithin = createMailParser({ heapMb: 512, deadlineMs: 50 });
    await expect(parseWithin('1', lines)).rejects.toThrow('takes too much time');
  });
  test('rejects a message that takes too much memory, and parses the next one in a new thread', async () => {
    const parseWithin = createMailParser({ heapMb: 48, deadlineMs: 30_000 });
    await expect(parseWithin('1', lines)).rejects.toThrow('takes too much memory');
    expect((await parseWithin('1', Buffer.from('Subject: next\n\nhi'))).subject).toBe('next');
  });
  test('parses a message with an attachment of thirty megabytes', async () => {
    const attachment = Buffer.alloc(22_000_000, 7).toString('base64').replace(/.{76}/g, '$&\r\n');
    const mail = await parseMail(
      Buffer.from(
        `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nSee attached.\r\n--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${attachment}\r\n--b--\r\n`,
      ),
    );
    expect(mail.snippet).toBe('See attached.');
  });
  // The thread gives up after ten seconds. Work that grows with the square of the length would take minutes.
  const megabyte = (text: string) => text.repeat(Math.floor(1_000_000 / text.length));
  test.each(['"', '(', '<', '<"', '<a ', 'a,', 'a:', '@ ', '=?', '=?a?q?', '=?utf-8?b?YWFh?= ', 'a <b@c> '])(
    'reads a megabyte of %j as addresses, subject and name of a file',
    async (text) => {
      const header = (name: string) => parseMail(Buffer.from(`${name}${megabyte(text)}>;\n\nhi`));
      for (const name of ['From: ', 'Subject: ', 'References: ', 'Content-Type: text/plain; name=']) {
        expect((await header(name)).messageId).toMatch(/^sha256:/);
      }
    },
  );
  test.each([
    ['format=flowed', '>> a '],
    ['charset=iso-2022-jp', '\x1b$A11\x1b(B'],
    ['charset=utf-7', '+A'],
    ['charset=hz', '~{'],
    ['charset=utf-8\nContent-Transfer-Encoding: quoted-printable', '=  '],
    ['charset=utf-8\nContent-Transfer-Encoding: base64', 'AA= '],
    ['charset=utf-8', '\r'],
  ])('reads a megabyte of text with %s', async (parameters, text) => {
    const raw = `Content-Type: text/plain; ${parameters}\n\n${megabyte(text)}x`;
    expect((await parseMail(Buffer.from(raw, 'latin1'))).messageId).toMatch(/^sha256:/);
  });
  test.each(['<div>', '</div>', '<', '<!--', '<p hidden>', '&nbsp; '])(
    'reads a megabyte of %j as HTML',
    async (html) => {
      const mail = await parse(
        `Content-Type: multipart/alternative; boundary=b\n\n--b\n\nx\n--b\nContent-Type: text/html\n\n${megabyte(html)}\n--b--`,
      );
      expect(mail.messageId).toMatch(/^sha256:/);
    },
  );
  test('reads a megabyte of CR', async () => {
    const mail = await parseMail(Buffer.from(`Subject: x\r\r${'\r'.repeat(999_000)}end`));
    expect(mail.body).toContain('\nend</div>');
  });

  test.each([
    ['an empty message', ''],
    ['a message without headers', '\n\njust text'],
    ['a boundary that never occurs', 'Content-Type: multipart/mixed; boundary=never\n\n--other\n\nhi'],
    ['a multipart without a boundary', 'Content-Type: multipart/mixed\n\n--\nhi'],
    ['invalid base64', 'Content-Transfer-Encoding: base64\n\n!!!! not base64 !!!!'],
    ['an unknown transfer encoding', 'Content-Transfer-Encoding: x-uue\n\nhi'],
  ])('accepts %s', async (_, text) => {
    expect(await parse(text)).toMatchObject({ messageId: expect.stringMatching(/^sha256:/) });
  });

  test('parses or rejects random input, and never fails otherwise', async () => {
    const header = fc.constantFrom(
      'From: ',
      'To: ',
      'Subject: ',
      'Content-Type: ',
      'Date: ',
      'References: ',
      '\r\n',
      '\n\n',
      '--b',
      'multipart/mixed; boundary=b',
      '<',
      '>',
      '"',
      '=?utf-8?b?',
      '?=',
      ',',
      ':',
    );
    const bytes = fc.array(
      fc.oneof(
        header.map((text) => Buffer.from(text)),
        fc.uint8Array({ maxLength: 20 }),
      ),
      { maxLength: 80 },
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (parts) => {
        const mail = await parseMail(Buffer.concat(parts)).catch((error: unknown) => error);
        if (mail instanceof UnreadableMailError) return;
        expect(mail).toMatchObject({ subject: expect.any(String), body: expect.any(String) });
      }),
      { numRuns: 300 },
    );
  });
});
