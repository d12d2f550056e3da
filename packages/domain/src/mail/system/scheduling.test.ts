import {
  createCalendar,
  createMailbox,
  createToken,
  createUser,
  startFarEnd,
  TestLog,
} from '@firmdesk/testing';
import { calendarCalls, createUserWithToken, notificationsOf, suiteGateway } from '@firmdesk/testing/gateway';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openSmtp } from '../sending/smtp.ts';
import { runSending } from '../sending/testing.ts';

const farEnd = await startFarEnd();
const gateway = await suiteGateway();
const { services } = gateway;
const server = openSmtp({ url: farEnd.url, password: null, dkim: null, log: new TestLog() });
services.mail = { domains: ['desk.example'], server };
// Before the events of `calendarCalls`.
gateway.clock.advance(Date.parse('2026-11-01T00:00:00Z') - gateway.clock.now().getTime());
afterAll(async () => {
  await server.close();
  await farEnd[Symbol.asyncDispose]();
});

type Person = Awaited<ReturnType<typeof createPerson>>;
let count = 0;
let ann: Person;
let ben: Person;
let guest: string;

async function createPerson() {
  const person = await createUserWithToken(gateway);
  const mailbox = await createMailbox(services, { firm: person.firm, writes: [person.user] });
  const calendar = await createCalendar(services, { firm: person.firm, owner: person.user });
  return { ...person, mailbox, calendar };
}
beforeEach(async () => {
  gateway.clock.advance(2_000);
  ann = await createPerson();
  // In another firm.
  ben = await createPerson();
  guest = `guest${++count}@elsewhere.example`;
});

const { done, create, window } = calendarCalls(gateway, () => ann);
const ofBen = calendarCalls(gateway, () => ben);
/** Runs the jobs that queue mails, and those that send them. */
const deliver = async () => {
  for (let i = 0; i < 3; i++) await runSending(services);
};
const invite = (over: object = {}) => create({ attendees: [{ email: guest, name: 'Guest' }], ...over });
const change = (id: number, changes: object, by = ann.token) =>
  done('change', { id, occurrence_start: null, extent: 'all', ...changes }, by);

/** The messages that an outsider got since the last call, as method and lines of iCalendar. */
let seen = 0;
beforeEach(() => {
  seen = farEnd.accepted.length;
});
async function received(address = guest) {
  await deliver();
  const fresh = farEnd.accepted.slice(seen).filter(({ to }) => to.includes(address));
  seen = farEnd.accepted.length;
  return fresh.map(({ raw, returnPath }) => {
    const part =
      /Content-Type: text\/calendar; charset=utf-8; method=(\w+)\r\n((?:.+\r\n)*)\r\n([\s\S]*?)\r\n--/.exec(
        raw,
      )!;
    const [, method, headers, body] = part;
    const ics = (
      /base64/i.test(headers!)
        ? Buffer.from(body!, 'base64').toString()
        : body!.replace(/=\r\n/g, '').replace(/=3D/g, '=')
    )
      .replace(/\r\n /g, '')
      .split('\r\n');
    const value = (name: string) => ics.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1);
    return {
      method,
      raw,
      returnPath,
      ics,
      value,
      sequence: Number(value('SEQUENCE')),
      stamp: value('DTSTAMP'),
    };
  });
}

test('a trader of the firm sends nobody mail in its name', async () => {
  const { firm } = ann;
  const trader = await createUser(services, { firm, role: 'trader' });
  const { text: token } = await createToken(services, {
    user: trader,
    workspace: firm.slug,
    scopes: ['calendar:read', 'calendar:write'],
  });
  const calendar = await createCalendar(services, { firm, owner: trader });
  await calendarCalls(gateway, () => ({ ...ann, user: trader, token, calendar })).create({
    attendees: [{ email: guest }],
  });
  expect(await received()).toEqual([]);
});

describe('the organizer', () => {
  test('sends each attendee a REQUEST, as an alternative of the text', async () => {
    const second = `second${count}@elsewhere.example`;
    await invite({
      attendees: [{ email: guest }, { email: second }, { email: guest.toUpperCase() }],
      location: 'Room; 4',
    });
    const [mail, ...more] = await received();
    expect(more).toEqual([]);
    expect(mail!.raw).toContain('multipart/alternative');
    expect(mail!.raw).toMatch(new RegExp(`^From: .*${ann.mailbox.email}`, 'm'));
    expect(mail!.raw).toMatch(/^Subject: Invitation: Meeting/m);
    expect(mail!.returnPath).toMatch(/^bounce\+.*@desk\.example$/);
    expect([mail!.method, mail!.sequence]).toEqual(['REQUEST', 0]);
    expect(mail!.ics).toEqual(
      expect.arrayContaining([
        'METHOD:REQUEST',
        'DTSTART:20261123T090000Z',
        'LOCATION:Room\\; 4',
        'SUMMARY:Meeting',
      ]),
    );
    expect(mail!.ics.filter((line) => line.startsWith('ATTENDEE'))).toHaveLength(2);
    expect(farEnd.accepted.filter(({ to }) => to.includes(second))).toHaveLength(1);
    expect(await window()).toMatchObject([{ organizer: { email: ann.mailbox.email } }]);
  });

  test('counts the changes of the times in SEQUENCE, and orders other changes by DTSTAMP', async () => {
    const id = await invite();
    const [first] = await received();
    await change(id, { title: 'Review' });
    const [renamed] = await received();
    await change(id, { starts_at: '2026-11-24T09:00:00Z', ends_at: '2026-11-24T10:00:00Z' });
    const [moved] = await received();
    expect([first, renamed, moved].map((mail) => mail!.sequence)).toEqual([0, 0, 1]);
    expect(first!.stamp! < renamed!.stamp! && renamed!.stamp! < moved!.stamp!).toBe(true);
    expect(moved!.raw).toMatch(/^Subject: Changed: Review/m);
    expect(new Set([first, renamed, moved].map((mail) => mail!.value('UID'))).size).toBe(1);
  });

  test('sends no update if nothing that matters has changed', async () => {
    const id = await invite();
    await received();
    await change(id, { title: 'Meeting', tag_ids: [] });
    await done('remind', { id, reminders: [{ minutes_before: 5, channel: 'push' }] });
    expect(await received()).toEqual([]);
  });

  test('invites only those who are added, and cancels for those who are removed', async () => {
    const id = await invite();
    await received();
    const added = `added${count}@elsewhere.example`;
    await change(id, { attendees: [{ email: guest }, { email: added }] });
    await deliver();
    expect(farEnd.accepted.slice(seen).map(({ to }) => to)).toEqual([[added]]);
    await received();
    await change(id, { attendees: [{ email: added }] });
    expect(await received()).toMatchObject([{ method: 'CANCEL' }]);
  });

  test('cancels a deleted event with a later SEQUENCE', async () => {
    const id = await invite();
    await received();
    await done('delete', { id, occurrence_start: null, extent: 'all' });
    const [mail] = await received();
    expect([mail!.method, mail!.sequence]).toEqual(['CANCEL', 1]);
    expect(mail!.ics).toContain('STATUS:CANCELLED');
  });

  test('tells of a deleted and a moved occurrence of a series, and of its end', async () => {
    const id = await invite({ recurrence_rule: 'FREQ=DAILY;COUNT=5', timezone: 'Europe/Berlin' });
    const [first] = await received();
    expect(first!.ics).toEqual(
      expect.arrayContaining([
        'BEGIN:VTIMEZONE',
        'DTSTART;TZID=Europe/Berlin:20261123T100000',
        'RRULE:FREQ=DAILY;COUNT=5',
      ]),
    );
    await done('delete', { id, occurrence_start: '2026-11-24T09:00:00.000Z', extent: 'this' });
    const [deleted] = await received();
    expect(deleted!.ics).toContain('EXDATE;TZID=Europe/Berlin:20261124T100000');
    await done('change', {
      ...{ id, occurrence_start: '2026-11-25T09:00:00.000Z', extent: 'this' },
      ...{ starts_at: '2026-11-25T11:00:00Z', ends_at: '2026-11-25T12:00:00Z' },
    });
    const [moved] = await received();
    expect(moved!.ics).toEqual(
      expect.arrayContaining([
        'RECURRENCE-ID;TZID=Europe/Berlin:20261125T100000',
        'DTSTART;TZID=Europe/Berlin:20261125T120000',
      ]),
    );
    expect([first, deleted, moved].map((mail) => mail!.sequence)).toEqual([0, 1, 2]);
    await done('change', {
      id,
      occurrence_start: '2026-11-26T09:00:00.000Z',
      extent: 'this_and_following',
      title: 'New',
    });
    const split = await received();
    expect(split.map(({ method }) => method)).toEqual(['REQUEST', 'REQUEST']);
    expect(new Set(split.map((mail) => mail.value('UID'))).size).toBe(2);
  });

  test('sends one update for each of two editors at once, the later with the later version', async () => {
    const id = await invite();
    await received();
    await Promise.all([
      change(id, { starts_at: '2026-11-24T09:00:00Z', ends_at: '2026-11-24T10:00:00Z' }),
      change(id, { starts_at: '2026-11-25T09:00:00Z', ends_at: '2026-11-25T10:00:00Z' }),
    ]);
    const mails = (await received()).sort((a, b) => a.sequence - b.sequence);
    expect(mails.map(({ sequence }) => sequence)).toEqual([1, 2]);
    const [event] = await window();
    expect(mails[1]!.value('DTSTART')).toBe(event.starts_at.replace(/[-:]|\.000/g, ''));
  });

  test('invites in the wording of the firm, if it has written one', async () => {
    const templates = { invitation: { en: { subject: 'Please come: {{title}}', text: 'By {{organizer}}' } } };
    await services.pool.query('update workspaces set mail_templates = $2 where id = $1', [
      ann.firm.id,
      JSON.stringify(templates),
    ]);
    await invite();
    const [mail] = await received();
    expect(mail!.raw).toMatch(/^Subject: Please come: Meeting/m);
    expect(mail!.method).toBe('REQUEST');
  });

  test('is told if an invitation was refused', async () => {
    farEnd.behave(guest, 'refuse');
    await invite();
    await deliver();
    expect(await notificationsOf(gateway, ann.firm)).toMatchObject([{ title: 'Not delivered: Meeting' }]);
  });

  test('sends each mail once, also if the jobs run again', async () => {
    await invite();
    await Promise.all([deliver(), deliver(), deliver()]);
    expect(farEnd.accepted.filter(({ to }) => to.includes(guest))).toHaveLength(1);
  });
});

describe('between two firms', () => {
  const response = async () => (await window())[0].attendees[0].response;

  test.each(['accepted', 'tentative', 'declined'])(
    'an answer of %s reaches the organizer',
    async (answer) => {
      await create({ attendees: [{ email: ben.mailbox.email }] });
      await deliver();
      const [invited] = await ofBen.window();
      expect(invited).toMatchObject({ status: 'pending', source: 'mail', title: 'Meeting' });
      await ofBen.done('answer', { id: invited.id, response: answer });
      await deliver();
      expect(await response()).toBe(answer);
    },
  );

  test('a moved event asks again, and a cancelled one disappears', async () => {
    const id = await create({ attendees: [{ email: ben.mailbox.email }] });
    await deliver();
    await ofBen.done('answer', { id: (await ofBen.window())[0].id, response: 'accepted' });
    await deliver();
    await change(id, { title: 'Review' });
    await deliver();
    expect([await response(), (await ofBen.window())[0].title]).toEqual(['accepted', 'Review']);
    await change(id, { starts_at: '2026-11-24T09:00:00Z', ends_at: '2026-11-24T10:00:00Z' });
    await deliver();
    expect(await response()).toBe('needs_action');
    expect(await ofBen.window()).toMatchObject([
      { status: 'pending', starts_at: '2026-11-24T09:00:00.000Z' },
    ]);
    await done('delete', { id, occurrence_start: null, extent: 'all' });
    await deliver();
    expect(await ofBen.window()).toEqual([]);
  });

  test('an answer is sent once, unless it changes', async () => {
    await create({ attendees: [{ email: ben.mailbox.email }] });
    await deliver();
    const [{ id }] = await ofBen.window();
    for (const response of ['accepted', 'accepted', 'tentative'])
      await ofBen.done('answer', { id, response });
    await deliver();
    const { data } = await gateway.rpc('mail.list', {
      token: ann.token,
      body: { address_id: ann.mailbox.id, folder: 'inbox' },
    });
    expect(data.data.map(({ subject }: { subject: string }) => subject).sort()).toEqual([
      'Accepted: Meeting',
      'Tentative: Meeting',
    ]);
    expect(await response()).toBe('tentative');
  });
});

describe('a REPLY', () => {
  let uid: string;
  const reply = (
    over: {
      from?: string;
      uid?: string;
      attendee?: string;
      sequence?: number;
      stamp?: string;
      body?: string;
      partstat?: string;
    } = {},
  ) => {
    const {
      from = guest,
      attendee = guest,
      sequence = 0,
      stamp = '20261101T090000Z',
      partstat = 'ACCEPTED',
      body = '',
    } = over;
    const lines = [
      ...[
        `From: ${from}`,
        `Message-ID: <${Math.random()}@elsewhere.example>`,
        'Content-Type: text/calendar; method=REPLY',
        '',
      ],
      ...[
        'BEGIN:VCALENDAR',
        'METHOD:REPLY',
        'BEGIN:VEVENT',
        `UID:${over.uid ?? uid}`,
        `SEQUENCE:${sequence}`,
      ],
      ...[`DTSTAMP:${stamp}`, `ORGANIZER:mailto:${ann.mailbox.email}`, body],
      ...[`ATTENDEE;PARTSTAT=${partstat}:mailto:${attendee}`, 'END:VEVENT', 'END:VCALENDAR'],
    ];
    return gateway.rpc('mail.deliver', {
      token: ann.token,
      body: {
        mailbox: ann.mailbox.email,
        encoding: 'text',
        raw: lines.filter((line, i) => line !== '' || i === 3).join('\r\n'),
      },
    });
  };
  const response = async () => (await window())[0].attendees[0].response;

  beforeEach(async () => {
    await invite();
    uid = (await received())[0]!.value('UID')!;
  });

  test('without times is the answer of the attendee; the later one counts', async () => {
    expect((await reply({ stamp: '20261101T100000Z' })).data).toMatchObject({ status: 'delivered' });
    expect(await response()).toBe('accepted');
    await reply({ partstat: 'DECLINED', stamp: '20261101T090000Z' });
    expect(await response()).toBe('accepted');
    await reply({ partstat: 'DECLINED', stamp: '20261101T110000Z' });
    expect(await response()).toBe('declined');
  });

  test.each([
    ['from the address of another', { from: 'mallory@elsewhere.example' }],
    ['from an attendee for another', { attendee: 'second@elsewhere.example' }],
    [
      'for somebody who is not invited',
      { from: 'mallory@elsewhere.example', attendee: 'mallory@elsewhere.example' },
    ],
    ['with an unknown UID', { uid: 'unknown@desk.example' }],
    ['without an answer', { partstat: 'NEEDS-ACTION' }],
    ['with an unknown answer', { partstat: 'MAYBE' }],
    ['for one occurrence', { body: 'RECURRENCE-ID:20261123T090000Z' }],
    ['of 1 MB', { body: `COMMENT:${'x'.repeat(1_048_576)}` }],
  ])('%s changes nothing, and the mail arrives', async (_, over) => {
    expect((await reply(over)).data).toMatchObject({ status: 'delivered' });
    expect(await response()).toBe('needs_action');
  });

  test('to times that the event no longer has changes nothing', async () => {
    const [{ id }] = await window();
    await change(id, { starts_at: '2026-11-24T09:00:00Z', ends_at: '2026-11-24T10:00:00Z' });
    await reply();
    expect(await response()).toBe('needs_action');
    await reply({ sequence: 1 });
    expect(await response()).toBe('accepted');
  });

  test('to the organizer of another firm changes nothing', async () => {
    await gateway.rpc('mail.deliver', {
      token: ben.token,
      body: {
        mailbox: ben.mailbox.email,
        encoding: 'text',
        raw: [
          ...[
            `From: ${guest}`,
            'Message-ID: <other@elsewhere.example>',
            'Content-Type: text/calendar; method=REPLY',
            '',
          ],
          ...['BEGIN:VCALENDAR', 'METHOD:REPLY', 'BEGIN:VEVENT', `UID:${uid}`, 'SEQUENCE:0'],
          ...[`ATTENDEE;PARTSTAT=ACCEPTED:mailto:${guest}`, 'END:VEVENT', 'END:VCALENDAR'],
        ].join('\r\n'),
      },
    });
    expect(await response()).toBe('needs_action');
  });

  test('survives a change of the attendees, which only they answer', async () => {
    await reply();
    const [{ id }] = await window();
    await change(id, {
      attendees: [{ email: guest, response: 'declined' }, { email: `more${count}@elsewhere.example` }],
    });
    expect(await response()).toBe('accepted');
  });
});
