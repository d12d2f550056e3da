import { readFileSync } from 'node:fs';
import { createCalendar, createMailbox } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';
import { importIcs } from '../../index.ts';
import { withTransaction } from '../../platform/database/transaction.ts';

/** A calendar as other programs write it, and the occurrences that the calendar window shows. Only what is named counts. */
interface ImportCase {
  name: string;
  /** The section of a standard, or what senders do. */
  why: string;
  /** The zone of the account; UTC if absent. */
  zone?: string;
  /** The content of the calendar. With `bytes`, each character is a byte. */
  lines: string[];
  bytes?: boolean;
  /** The window; December 2026 if absent. */
  from?: string;
  until?: string;
  events: object[];
  /** How many events are refused. */
  refused?: number;
}

/** Messages that arrive in this order, and the occurrences that the calendar window shows. Only what is named counts. */
interface DeliveryCase extends Pick<ImportCase, 'name' | 'why' | 'bytes' | 'events'> {
  /** The lines of each message. With `bytes`, each character is a byte. */
  messages: string[][];
}

const gateway = await suiteGateway();
const casesIn = <Case>(file: string) =>
  JSON.parse(readFileSync(new URL(`foreign-calendars/${file}`, import.meta.url), 'utf8')) as Case[];

/** Returns an event with its times as instants. */
const comparable = (event: object) =>
  Object.fromEntries(
    Object.entries(event).map(([field, value]) => [
      field,
      field === 'starts_at' || field === 'ends_at' ? Date.parse(value) : value,
    ]),
  );
const shown = async (token: string, { from = '2026-12-01', until = '2027-01-01' } = {}) => {
  const { body } = await gateway.request(`GET /v1/me/calendar/events?from=${from}&until=${until}`, { token });
  return body.data.map(comparable);
};

test.for(casesIn<ImportCase>('imports.json').map((one) => [one.name, one] as const))(
  'imports %s',
  async ([, one]) => {
    const { firm, user, token } = await createUserWithToken(gateway);
    await gateway.services.pool.query('update users set timezone = $2 where id = $1', [
      user.id,
      one.zone ?? 'UTC',
    ]);
    const calendar = await createCalendar(gateway.services, { firm, owner: user });
    const text = ['BEGIN:VCALENDAR', ...one.lines, 'END:VCALENDAR', ''].join('\r\n');
    const document = Buffer.from(text, one.bytes ? 'latin1' : 'utf8');
    const { refused } = await withTransaction(gateway.services, (ctx) =>
      importIcs(ctx, { calendarId: calendar, document }),
    );
    expect(refused).toHaveLength(one.refused ?? 0);
    expect(await shown(token, one)).toMatchObject(one.events.map(comparable));
  },
);

test.for(casesIn<DeliveryCase>('deliveries.json').map((one) => [one.name, one] as const))(
  'delivers %s',
  async ([, { messages, bytes, events }]) => {
    const { firm, user, token } = await createUserWithToken(gateway);
    await createCalendar(gateway.services, { firm, owner: user });
    const mailbox = await createMailbox(gateway.services, { firm, writes: [user] });
    for (const [i, lines] of messages.entries()) {
      // Each is a message of its own, also a copy.
      const message = [`Message-ID: <${i}@org.test>`, ...lines].join('\r\n');
      const raw = Buffer.from(message, bytes ? 'latin1' : 'utf8').toString('base64');
      const body = { mailbox: mailbox.email, encoding: 'base64', raw };
      expect((await gateway.rpc('mail.deliver', { token, body })).data).toMatchObject({
        object: 'mail_delivery',
      });
    }
    expect(await shown(token)).toMatchObject(events.map(comparable));
  },
);
