/** Messages of ordinary length. */
const sentence = 'The numbers of the quarter are in the table below, with the changes of each month. ';

/** A message that an agent writes. */
export const sentMessage = {
  subject: 'Numbers of the quarter',
  body: `<p>${sentence.repeat(4)}</p>`.repeat(4),
};

/** One in so many messages that arrive has a file. */
const FILES_IN = 5;
const signature = Buffer.alloc(190, 'signature').toString('base64');

/** What the servers on the way of a message have written, about 3 kB. */
const trace = [
  ...[5, 4, 3, 2, 1].map(
    (hop) =>
      `Received: from relay${hop}.out.example (relay${hop}.out.example [192.0.2.${hop}])\r\n\tby relay${hop - 1}.out.example (Postfix) with ESMTPS id 4F${hop}9QX0Zz${hop}2mB\r\n\t(version=TLSv1.3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256); Fri, 27 Nov 2026 10:00:0${hop} +0000 (UTC)`,
  ),
  ...['DKIM-Signature: v=1', 'ARC-Message-Signature: i=1', 'ARC-Seal: i=1'].map(
    (field) =>
      `${field}; a=rsa-sha256; c=relaxed/relaxed; d=elsewhere.example; s=mail;\r\n\th=from:to:subject:date:message-id:mime-version:content-type;\r\n\tb=${signature.replace(/.{70}/g, '$&\r\n\t ')}`,
  ),
  'ARC-Authentication-Results: i=1; mx.example; dkim=pass header.d=elsewhere.example; spf=pass smtp.mailfrom=elsewhere.example',
];

/** About 40 kB, as mail programs write a text with a table, a quotation and a signature. */
const html = `<html><head><meta charset=3D"utf-8"><style>p{margin:0}</style></head><body>${Array.from(
  { length: 120 },
  (_, row) =>
    `<tr style=3D"font-family:Calibri,Arial,sans-serif;font-size:11pt">=\r\n<td style=3D"border:solid #ccc 1pt;padding:0cm 5.4pt;width:120pt">=\r\n<p class=3D"MsoNormal"><span lang=3D"EN-GB">Row ${row} =E2=80=93 ${sentence}=\r\n<o:p></o:p></span></p></td></tr>\r\n`,
).join('')}</body></html>`;
const text = Array.from({ length: 120 }, (_, row) => `Row ${row} =E2=80=93 ${sentence}\r\n`).join('');

/** A message that arrives: its text in two forms, and in one of {@link FILES_IN} a file of 100 kB. */
export function receivedMessage(n: number): Buffer {
  const file = Buffer.alloc(100_000, `${n} `).toString('base64').replace(/.{76}/g, '$&\r\n');
  const hasFile = n % FILES_IN === 0;
  const alternatives = [
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    text,
    '--b',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    html,
    '--b--',
  ];
  return Buffer.from(
    [
      ...trace,
      'From: Ann Example <ann@elsewhere.example>',
      'To: desk@example.com',
      `Subject: =?utf-8?Q?Gr=C3=B6=C3=9Fe_${n}?=`,
      `Message-ID: <bench-${n}-${process.pid}@elsewhere.example>`,
      'Date: Fri, 27 Nov 2026 10:00:00 +0000',
      'MIME-Version: 1.0',
      ...(hasFile
        ? [
            'Content-Type: multipart/mixed; boundary=a',
            '',
            '--a',
            ...alternatives,
            '--a',
            'Content-Type: application/octet-stream; name=numbers.bin',
            'Content-Disposition: attachment; filename=numbers.bin',
            'Content-Transfer-Encoding: base64',
            '',
            file,
            '--a--',
          ]
        : alternatives),
      '',
    ].join('\r\n'),
  );
}
