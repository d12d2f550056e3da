/**
 * Prints an account's access on each path as JSON: guards, queries, pushes and the live check of sockets. Started by
 * `test/policy.test.ts` in a copy of the tree, on a database with the fixture.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  closeServices,
  createServices,
  deliverMail,
  notify,
  type PushProvider,
  readTokenRights,
  sendPushes,
  silentLog,
  systemClock,
  withTransaction,
} from '@firmdesk/domain';
import { createApp } from '@firmdesk/gateway/testing';
import { runPushJobs } from '@firmdesk/testing';
import { request } from '@firmdesk/testing/gateway';
import superjson from 'superjson';
import type { Fixture } from './fixture.ts';

const [databaseUrl, text] = process.argv.slice(2) as [string, string];
const fixture: Fixture = JSON.parse(text);

const sent: string[] = [];
const push: PushProvider = {
  async send({ payload }) {
    sent.push(JSON.stringify(JSON.parse(payload).aps.alert));
    return { status: 'sent' };
  },
  pauses: () => [],
  close: async () => {},
};
const services = await createServices({ databaseUrl, push, clock: systemClock });
const app = createApp({ services, log: silentLog, metrics: false });
app.server.listen(0, '127.0.0.1');
await once(app.server, 'listening');
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
services.publicUrl = () => url;

const { token, tokenId, firm, mailbox, message, ticket } = fixture;

async function guard(target: string): Promise<string> {
  const { status, body } = await request(url, target, { token });
  return `${status} ${body?.error?.code ?? 'ok'}`;
}

async function query(name: string, input: object = {}): Promise<unknown> {
  const { body } = await request(
    url,
    `GET /trpc/${name}?input=${encodeURIComponent(superjson.stringify(input))}`,
    { token },
  );
  return body.error ? body.error.json.message : superjson.deserialize(body.result.data);
}

async function rows(statement: string, values: unknown[]): Promise<unknown> {
  return (await services.pool.query(statement, values)).rows;
}

const seen: Record<string, unknown> = {
  'guard of a call': await guard('GET /v1/ping'),
  'guard of a call for the firm': await guard('GET /v1/affiliates/pre-registrations'),
  'guard of an administrative call': await guard('GET /v1/admin/tickets'),
  'live check of a socket': (await readTokenRights(services.pool, [tokenId], services.clock.now())).has(
    tokenId,
  ),
  'list of mailboxes': await query('mail.mailboxes'),
  'a message': await query('mail.get', { id: message }),
  'list of calendars': await query('calendar.calendars'),
  'window of events': (await request(url, 'GET /v1/me/calendar/events', { token })).body.data,
  'list of notifications': await query('notifications.list'),
  'list of agents': await query('tickets.desk'),
  'permitted actions on a ticket': await query('tickets.get', { ticket }),
};

// Pushes that wait in the outbox are checked when they are sent.
await sendPushes(services);
seen['push of waiting rows'] = await rows(
  'select type, state, reason from push_outbox where token_id = $1 order by type',
  [tokenId],
);
seen['text of pushes'] = sent.sort();

// New pushes are checked when they are queued.
await deliverMail(services, {
  mailbox,
  folder: 'inbox',
  raw: Buffer.from(
    'From: ann@elsewhere.example\r\nSubject: News\r\nMessage-ID: <news@x.example>\r\n\r\nHello',
  ),
});
await runPushJobs(services);
seen['push of a new message'] = await rows(
  `select count(*)::int from push_outbox where token_id = $1 and type = 'mail.message'`,
  [tokenId],
);
const raised = await withTransaction(services, (ctx) =>
  notify(ctx, {
    workspace: firm,
    kind: 'payout_requested',
    title: 'A payout was requested',
    action_url: '/x',
  }),
);
seen['recipients of a notification'] = raised.notifications.length;

process.stdout.write(JSON.stringify(seen));
await app.drain();
await closeServices(services);
