import { readdirSync, readFileSync } from 'node:fs';
import { createCalendar, createMailbox, createUser } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway } from '@firmdesk/testing/gateway';
import { describe, expect, test } from 'vitest';

/** A case of `corpus/deliveries`: messages that are delivered to one mailbox in this order, and what the API then returns for each. */
interface DeliveryCase {
  name: string;
  why: string;
  messages: {
    /** The lines of the message, which end with CR LF. Each character is a byte. */
    raw: string[] | string;
    /** What `mail.deliver` answers. */
    status?: string;
    subject?: string;
    from?: object;
    to?: object[];
    /** The visible text: lines without empty ones, or what it contains and lacks. */
    lines?: string[];
    contains?: string[];
    lacks?: string[];
    snippet?: string;
    files?: string[];
    /** The names of the files that are not stored. */
    left_out?: string[];
    message_at?: string;
    /** Messages with the same number are in one conversation, others are not. */
    conversation?: number;
  }[];
  /** Whether several accounts read the mailbox. */
  shared?: boolean;
  /** The titles of the events in December 2026. */
  events?: string[];
}

const gateway = await suiteGateway();
const folder = new URL('../corpus/deliveries/', import.meta.url);

describe.each(readdirSync(folder))('%s', (file) => {
  const cases: DeliveryCase[] = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));

  test.each(cases)('$name', async ({ messages, shared, events }) => {
    const { firm, user, token } = await createUserWithToken(gateway);
    await createCalendar(gateway.services, { firm, owner: user });
    const writes = shared ? [user, await createUser(gateway.services, { firm })] : [user];
    const mailbox = await createMailbox(gateway.services, { firm, writes });
    const call = async (name: string, body: object) =>
      (await gateway.rpc(`mail.${name}`, { token, body })).data;

    const threads: [number, number][] = [];
    for (const { raw, ...expected } of messages) {
      const bytes = Buffer.from(typeof raw === 'string' ? raw : raw.join('\r\n'), 'latin1');
      const delivery = await call('deliver', { mailbox: mailbox.email, raw: bytes.toString('base64') });
      expect(delivery.status).toBe(expected.status ?? 'delivered');
      const message = await call('get', { id: delivery.id });
      const text = textOf(message.body);
      const joined = text.replaceAll('\ufffd', '').replace(/\s+/g, ' ');
      const { subject, from, to, message_at } = expected;
      expect(message).toMatchObject({
        ...(subject !== undefined && { subject }),
        ...(from && { from }),
        ...(to && { to_recipients: to }),
        ...(message_at && { message_at }),
        ...(expected.snippet !== undefined && { snippet: expected.snippet }),
      });
      const lines = text.split('\n').map((line) => line.trimEnd());
      if (expected.lines) expect(lines.filter(Boolean)).toEqual(expected.lines);
      for (const part of expected.contains ?? []) expect(joined).toContain(part);
      for (const part of expected.lacks ?? []) expect(joined).not.toContain(part);
      const namesOf = (list: { name: string }[]) => list.map(({ name }) => name);
      if (expected.files) expect(namesOf(message.attachments)).toEqual(expected.files);
      const leftOut = message.left_out.flatMap(({ names }: { names: string[] }) => names);
      expect(leftOut).toEqual(expected.left_out ?? []);
      if (expected.conversation !== undefined) threads.push([expected.conversation, message.thread_id]);
    }

    const stored = messages.filter(({ status }) => status !== 'already_delivered').length;
    expect((await call('list', { address_id: mailbox.id, limit: 100 })).data).toHaveLength(stored);
    for (const [number, thread] of threads) {
      for (const [other, otherThread] of threads) expect(thread === otherThread).toBe(number === other);
    }
    if (events) {
      const window = 'from=2026-12-01T00:00:00Z&until=2027-01-01T00:00:00Z';
      const { body } = await gateway.request(`GET /v1/me/calendar/events?${window}`, { token });
      expect(body.data.map(({ title }: { title: string }) => title)).toEqual(events);
    }
  });
});

/** Returns the visible text of a body. The bodies of the cases have no other elements with hidden text. */
function textOf(html: string): string {
  return html
    .replace(/<(head|style|title)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/gi, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&');
}
