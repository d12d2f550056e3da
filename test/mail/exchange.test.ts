/** Two firms with an installation each exchange mail through Postfix, whose processes and ours are killed in the middle. */
import { randomBytes } from 'node:crypto';
import { startFarEnd, unique } from '@firmdesk/testing';
import { describe, expect, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { type InstalledFirm, installFirm } from './installed-firm.ts';
import { hasPostfix, startPostfix } from './postfix.ts';

/** Of each firm to the other one. */
const MESSAGES = 40;
const SOON = { timeout: 120_000, interval: 250 };
/** They wait for mail that is held for 10 s, for programs that start again, and for their next attempts. */
const LONG = 480_000;

const invitation = (organizer: string, guest: string, uid: string) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Test//EN',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20261127T100000Z',
    `DTSTART:${inDays(2)}`,
    `DTEND:${inDays(2).replace('T10', 'T11')}`,
    'SUMMARY:Numbers of the quarter',
    `ORGANIZER:mailto:${organizer}`,
    `ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:${guest}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
const inDays = (days: number) =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')}T100000Z`;

describe.runIf(hasPostfix)('through Postfix', () => {
  test('two firms exchange mail while each process is killed once: nothing is lost or doubled', {
    timeout: LONG,
  }, async () => {
    const ports = [await freePort(), await freePort()] as const;
    await using postfix = await startPostfix({
      'north.example': `lmtp:[127.0.0.1]:${ports[0]}`,
      'south.example': `lmtp:[127.0.0.1]:${ports[1]}`,
    });
    await using north = await installFirm({
      domain: 'north.example',
      smtpUrl: postfix.url,
      lmtpPort: ports[0],
    });
    await using south = await installFirm({
      domain: 'south.example',
      smtpUrl: postfix.url,
      lmtpPort: ports[1],
    });

    const contents = new Map<string, Buffer>();
    const write = async (from: InstalledFirm, to: InstalledFirm, n: number) => {
      const content = randomBytes(20_000);
      const subject = `${from.firm.slug} ${n}`;
      contents.set(subject, content);
      const attachments = [await from.phone.upload('numbers.bin', content)];
      await from.phone.send({
        to: [to.email],
        subject,
        body: '<p>Grüße, <b>see</b> the file</p>',
        attachments,
      });
    };
    for (let n = 0; n < MESSAGES; n++) await Promise.all([write(north, south, n), write(south, north, n)]);
    const uid = unique('uid');
    const file = await north.phone.upload(
      'invite.ics',
      Buffer.from(invitation(north.email, south.email, uid)),
    );
    await north.phone.send({ to: [south.email], subject: 'Invitation', attachments: [file] });

    // Each is killed while mail is on its way through it.
    await expect.poll(async () => (await south.phone.list()).length, SOON).toBeGreaterThan(0);
    await south.kill();
    await postfix.kill();
    await north.kill();
    await Promise.all([postfix.start(), north.start(), south.start()]);

    const subjects = async ({ phone }: InstalledFirm) =>
      (await phone.list()).map(({ subject }) => subject).sort();
    const sentBy = ({ firm }: InstalledFirm) =>
      Array.from({ length: MESSAGES }, (_, n) => `${firm.slug} ${n}`);
    await expect.poll(() => subjects(north), SOON).toEqual(sentBy(south).sort());
    await expect.poll(() => subjects(south), SOON).toEqual([...sentBy(north), 'Invitation'].sort());
    await expect.poll(() => statesOf(north), SOON).toEqual(['sent']);
    await expect.poll(() => statesOf(south), SOON).toEqual(['sent']);

    // The files arrived as they were, and the invitation is in the calendar.
    for (const [reader, rows] of [
      [north, await north.phone.list()],
      [south, await south.phone.list()],
    ] as const)
      for (const { id, subject } of rows.filter((row) => contents.has(row.subject)).slice(0, 5)) {
        const { attachments } = await reader.phone.open(id);
        expect(attachments).toMatchObject([{ name: 'numbers.bin', size: 20_000 }]);
        const content = await reader.phone.download(reader.firm.slug, attachments[0]!.id);
        expect(content.equals(contents.get(subject)!)).toBe(true);
      }
    const events = await south.phone.call('GET /v1/me/calendar/events');
    expect(events).toMatchObject([{ title: 'Numbers of the quarter', status: 'pending', source: 'mail' }]);

    // A reply joins the conversation of what it answers, and so does the reply to it.
    const asked = (await south.phone.list()).find(({ subject }) => subject !== 'Invitation')!;
    const reply = `Re: ${asked.subject}`;
    await south.phone.send({ to: [north.email], subject: reply, in_reply_to: asked.id, body: 'Thanks' });
    const arrived = async ({ phone }: InstalledFirm, subject: string) =>
      (await phone.list()).filter((row) => row.subject === subject);
    await expect.poll(async () => (await arrived(north, reply)).length, SOON).toBe(1);
    const [answer] = await arrived(north, reply);
    const [question] = (await north.phone.list('folder=sent')).filter(
      ({ subject }) => subject === asked.subject,
    );
    expect(answer!.thread_id).toBe(question!.thread_id);
    await north.phone.send({ to: [south.email], subject: `${reply} `, in_reply_to: answer!.id });
    await expect.poll(async () => (await south.phone.list()).length, SOON).toBe(MESSAGES + 2);
    const last = (await south.phone.list())[0]!;
    expect(last.thread_id).toBe(asked.thread_id);
    // What was stored twice would be seen now.
    expect((await subjects(north)).length).toBe(MESSAGES + 1);
  });

  test('mail that the other side refuses comes back, and other mail gets there in the end', {
    timeout: LONG,
  }, async () => {
    await using far = await startFarEnd();
    const port = await freePort();
    await using postfix = await startPostfix({
      'north.example': `lmtp:[127.0.0.1]:${port}`,
      'elsewhere.example': far.url.replace('smtp://127.0.0.1', 'smtp:[127.0.0.1]'),
    });
    await using north = await installFirm({ domain: 'north.example', smtpUrl: postfix.url, lmtpPort: port });
    const [gone, spam, slow, dropped] = ['gone', 'spam', 'slow', 'dropped'].map(
      (name) => `${name}@elsewhere.example`,
    ) as [string, string, string, string];
    far.behave(gone, 'refuse');
    far.behave(spam, 'refuse-message');
    far.behave(slow, 'greylist');
    far.behave(dropped, 'drop');
    const { id } = await north.phone.send({ to: [gone, spam, slow, dropped], subject: 'Hello', body: 'Hi' });
    const of = async (email: string) =>
      (await north.phone.open(id)).delivery!.recipients.find((each) => each.email === email)!;

    // Postfix takes them all, and returns two with a notification to the return path of each.
    await expect.poll(() => of(gone), SOON).toMatchObject({ state: 'failed' });
    await expect.poll(() => of(spam), SOON).toMatchObject({ state: 'failed' });
    expect((await of(gone)).detail).toMatch(/5\.1\.1 No such user here/);
    expect((await of(spam)).detail).toMatch(/5\.7\.1 Refused as spam/);
    expect((await north.phone.list()).length).toBe(0);

    await expect.poll(() => far.unanswered.length, SOON).toBeGreaterThan(0);
    for (const address of [slow, dropped]) far.behave(address, 'accept');
    const accepted = () => far.accepted.map(({ to }) => to[0]).sort();
    await expect.poll(accepted, SOON).toEqual([dropped, slow]);
    for (const address of [slow, dropped]) expect(await of(address)).toMatchObject({ state: 'sent' });
  });
});

/** Returns the different states of what a firm has sent. */
async function statesOf({ phone }: InstalledFirm): Promise<string[]> {
  const rows = await phone.list('folder=sent');
  const opened = await Promise.all(rows.map(({ id }) => phone.open(id)));
  return [...new Set(opened.map(({ delivery }) => delivery!.state))];
}
