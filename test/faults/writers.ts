import { randomBytes, randomUUID } from 'node:crypto';
import type { Call, Client } from './client.ts';
import type { Kind, Ledger } from './ledger.ts';
import type { LoadFixtures } from './load-fixtures.ts';
import type { Random } from './random.ts';

/** Writes once. Returns whether the write was acknowledged. */
export type Act = (client: Client) => Promise<boolean>;

interface Writer {
  /** The longest pause between two writes. */
  maxPauseMs: number;
  act: Act;
}

const PAUSE_MS = 150;
/** Longer, so that commands do not arrive faster than the model writes replies. */
const COMMAND_PAUSE_MS = 900;

/** Returns one writer for each kind of write of people, phones and other systems. */
export function writersOf(fixtures: LoadFixtures, ledger: Ledger, random: Random): Writer[] {
  const { agent, marker, owner, mailbox } = fixtures;
  let draftId: string | undefined;
  let commands = 0;

  const write = async (client: Client, kind: Kind, mark: string, call: Call, slot?: string) => {
    const entry = ledger.add(kind, mark, slot);
    const data = await client.call(call);
    if (data === null) return null;
    entry.isAcknowledged = true;
    entry.id = data.id ?? null;
    entry.wasRepeated = kind === 'mark read' && data.marked !== 1;
    return data;
  };
  const writer = (kind: Kind, call: (mark: string) => Call, maxPauseMs = PAUSE_MS): Writer => ({
    maxPauseMs,
    act: async (client) => {
      const mark = randomUUID();
      return (await write(client, kind, mark, call(mark))) !== null;
    },
  });

  return [
    writer('draft', (subject) => ({
      target: 'POST /v1/me/mail/drafts',
      token: agent,
      body: { address_id: mailbox.id, subject },
    })),
    {
      maxPauseMs: PAUSE_MS,
      async act(client) {
        const subject = randomUUID();
        const body = { address_id: mailbox.id, subject, ...(draftId && { draft_id: draftId }) };
        const call = { target: 'POST /v1/me/mail/drafts', token: agent, body };
        const draft = await write(client, 'autosave', subject, call, 'autosave');
        draftId ??= draft?.id;
        return draft !== null;
      },
    },
    writer('trader message', (body) => ({
      target: 'tickets.platform.write',
      token: agent,
      body: { ticket: random.pick(fixtures.tickets), from: fixtures.trader, body },
    })),
    writer('reply', (body) => ({
      target: 'tickets.reply',
      token: agent,
      body: { ticket: random.pick(fixtures.tickets), body },
    })),
    writer(
      'AI command',
      (instruction) => ({
        // In turn, so that each viewer soon has an event from which it can resume.
        target: `POST /v1/admin/tickets/${fixtures.commandTickets[commands++ % fixtures.commandTickets.length]}/ai`,
        token: agent,
        body: { instruction },
      }),
      COMMAND_PAUSE_MS,
    ),
    {
      maxPauseMs: PAUSE_MS,
      async act(client) {
        const title = randomUUID();
        const notification = {
          workspace: fixtures.firm,
          kind: 'payout_requested',
          title,
          action_url: '/payouts',
        };
        const raise = {
          target: 'notifications.notify',
          token: agent,
          body: { ...notification, to: [marker.email] },
        };
        const raised = await write(client, 'notification', title, raise);
        const id: string | undefined = raised?.notifications[0].id;
        if (id === undefined) return false;
        const read = { target: 'POST /v1/me/notifications/read', token: marker.token, body: { ids: [id] } };
        return (await write(client, 'mark read', id, read)) !== null;
      },
    },
    {
      maxPauseMs: PAUSE_MS,
      async act(client) {
        const token = randomBytes(32).toString('hex');
        const body = { app: 'calendar', environment: 'production', token };
        const call = { target: 'POST /v1/me/devices', token: owner, body };
        return (await write(client, 'device', token, call, 'device')) !== null;
      },
    },
    writer('mail', (subject) => ({
      target: 'mail.deliver',
      token: agent,
      body: { mailbox: mailbox.email, encoding: 'text', raw: rawMail(subject, mailbox.email) },
    })),
  ];
}

function rawMail(subject: string, to: string): string {
  return [
    'From: Ann <ann@elsewhere.example>',
    `To: ${to}`,
    `Subject: ${subject}`,
    `Message-ID: <${subject}@elsewhere.example>`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    'As agreed.',
    '',
  ].join('\r\n');
}
