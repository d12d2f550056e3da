import { formatLocal, utcToLocal } from '@firmdesk/recurrence';
import { personOf } from '../people.ts';
import { maya, support } from './mailboxes.ts';

/** A message as a mail server would bring it, for what an import file does not have: files and invitations. */
export interface Delivery {
  mailbox: string;
  raw: string;
}

const HOUR_MS = 3_600_000;

/** Returns mail that has just come. */
export function deliveries(now: Date): Delivery[] {
  const olivia = personOf('olivia');
  const review = new Date(Math.ceil(now.getTime() / HOUR_MS) * HOUR_MS + 26 * HOUR_MS);
  return [
    {
      mailbox: support.email,
      raw: mail(now, {
        from: olivia,
        to: support,
        subject: 'Statement with both charges',
        text: 'Hello,\n\nattached is the statement of my card, and the list that I exported from it. Lines 2 and 3 are the same order.\n\nOlivia',
        parts: [
          file('statement-march.pdf', 'application/pdf', PDF),
          file('charges.csv', 'text/csv', CHARGES),
        ],
      }),
    },
    {
      mailbox: maya.email,
      raw: mail(now, {
        from: { name: 'Helen Park', email: 'helen.park@clearbank.example' },
        to: maya,
        subject: 'Invitation: Quarterly review of payouts',
        text: 'Maya, this is the review that we talked about. Please bring the figures of the last quarter.',
        parts: [invitation(now, review)],
      }),
    },
  ];
}

interface Correspondent {
  name: string;
  email: string;
}

const BOUNDARY = 'firmdesk-demo';

function mail(
  now: Date,
  {
    from,
    to,
    subject,
    text,
    parts,
  }: { from: Correspondent; to: Correspondent; subject: string; text: string; parts: string[] },
): string {
  const header = [
    `From: ${from.name} <${from.email}>`,
    `To: ${to.name} <${to.email}>`,
    `Subject: ${subject}`,
    `Date: ${now.toUTCString()}`,
    `Message-ID: <${subject.toLowerCase().replaceAll(/[^a-z]+/g, '-')}@demo.example>`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${BOUNDARY}"`,
  ];
  const body = [`Content-Type: text/plain; charset=utf-8\n\n${text}`, ...parts];
  return lines(
    `${header.join('\n')}\n\n${body.map((part) => `--${BOUNDARY}\n${part}\n`).join('')}--${BOUNDARY}--\n`,
  );
}

function file(name: string, type: string, content: string): string {
  return [
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(content).toString('base64'),
  ].join('\n');
}

function invitation(now: Date, at: Date): string {
  const utc = (date: Date) =>
    `${formatLocal(utcToLocal(date.getTime(), 'UTC')).slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  const event = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Clearbank//Calendar//EN',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    'UID:payout-review@clearbank.example',
    `DTSTAMP:${utc(now)}`,
    `DTSTART:${utc(at)}`,
    `DTEND:${utc(new Date(at.getTime() + HOUR_MS))}`,
    'SUMMARY:Quarterly review of payouts',
    'LOCATION:https://meet.clearbank.example/payouts',
    'ORGANIZER;CN=Helen Park:mailto:helen.park@clearbank.example',
    `ATTENDEE;CN=${maya.name};PARTSTAT=NEEDS-ACTION:mailto:${maya.email}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `Content-Type: text/calendar; charset=utf-8; method=REQUEST\n\n${event.join('\n')}`;
}

/** Lines of mail end with CR and LF. */
function lines(text: string): string {
  return text.replaceAll('\n', '\r\n');
}

const CHARGES = `date,description,amount\n2026-03-02,Northgate 100k challenge,289.00\n2026-03-02,Northgate 100k challenge,289.00\n`;

/** A page with one line of text. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 420 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 76>>stream
BT /F1 14 Tf 40 120 Td (Card statement, March: 2 x 289.00 GBP Northgate) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R/Size 6>>
%%EOF
`;
