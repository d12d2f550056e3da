/** Messages of ordinary length. */
const paragraph = `<p>${'The numbers of the quarter are in the table below, with the changes of each month. '.repeat(4)}</p>`;

/** A message that an agent writes. */
export const sentMessage = { subject: 'Numbers of the quarter', body: paragraph.repeat(4) };

/** A message that arrives: its text in two forms, and a file of 30 kB. */
export function receivedMessage(n: number): Buffer {
  const file = Buffer.alloc(30_000, `${n} `).toString('base64').replace(/.{76}/g, '$&\r\n');
  return Buffer.from(
    [
      'Received: from out.example (out.example [192.0.2.7]) by mx.example; Fri, 27 Nov 2026 10:00:00 +0000',
      'From: Ann Example <ann@elsewhere.example>',
      'To: desk@example.com',
      `Subject: =?utf-8?Q?Gr=C3=B6=C3=9Fe_${n}?=`,
      `Message-ID: <bench-${n}-${process.pid}@elsewhere.example>`,
      'Date: Fri, 27 Nov 2026 10:00:00 +0000',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=a',
      '',
      '--a',
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      '',
      paragraph.replace(/<\/?p>/g, ''),
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      `<html><body>${paragraph.repeat(8)}</body></html>`,
      '--b--',
      '--a',
      'Content-Type: application/octet-stream; name=numbers.bin',
      'Content-Disposition: attachment; filename=numbers.bin',
      'Content-Transfer-Encoding: base64',
      '',
      file,
      '--a--',
      '',
    ].join('\r\n'),
  );
}
