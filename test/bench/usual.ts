import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Services } from '@firmdesk/domain';
import {
  createCalendar,
  createEvents,
  createMailbox,
  createMailMessage,
  createToken,
  createUser,
} from '@firmdesk/testing';
import autocannon from 'autocannon';
import { type StartedGateway, startGateway, stop } from '../started-gateway.ts';
import { type BenchReport, figure, median, say } from './report.ts';
import { FIRM_ID } from './ticket-firm/fill-firm.ts';
import { openFirm } from './ticket-firm/open-firm.ts';

const TICKETS = 5_000;
const CONNECTIONS = 8;
const ROUNDS = 5;
const ROUND_SECONDS = 3;
const SERIES = 60;
const SINGLES = 600;
const DAY_MS = 86_400_000;
const FROM = new Date('2026-11-01T00:00:00Z');
const UNTIL = new Date(FROM.getTime() + 31 * DAY_MS);

interface Call {
  name: string;
  goal: string;
  /** The request to Firmdesk and to the usual way, which differ in their path only. */
  ours: Request;
  usual: Request;
}

interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}

/**
 * Compares six calls with the same made the usual way: Express, trpc-to-openapi's adapter, MikroORM (`em.find`, `populate`, `flush`) and
 * `rrule`, on the same database. The usual way has no event log, no jobs, no streams and no request log.
 */
export async function run(): Promise<BenchReport> {
  await using firm = await openFirm(TICKETS);
  const { url, token, calls } = await prepare(firm.services, firm.url);
  let gateway: StartedGateway | null = null;
  let rival: ChildProcess | null = null;
  try {
    gateway = startGateway({ DATABASE_URL: url, DEMO: '0', RATE_LIMIT_PER_MINUTE: '0' }, [
      '--role',
      'gateway',
    ]);
    rival = fork(new URL('usual/server.ts', import.meta.url), {
      env: { DATABASE_URL: url, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [ours, [{ url: usual }]] = (await Promise.all([gateway.listening, once(rival, 'message')])) as [
      string,
      [{ url: string }],
    ];
    const samples: Record<string, { ours: number[]; usual: number[] }> = {};
    for (const call of calls) {
      await checkSame(call, ours, usual, token);
      const rates = { ours: [] as number[], usual: [] as number[] };
      for (let round = 0; round <= ROUNDS; round++) {
        const pair = {
          ours: await load(ours, call.ours, token),
          usual: await load(usual, call.usual, token),
        };
        // The first round is a warm-up.
        if (round === 0) continue;
        rates.ours.push(pair.ours);
        rates.usual.push(pair.usual);
      }
      samples[call.name] = rates;
      say(
        `${call.name}: ${median(rates.ours).toFixed(0)} and ${median(rates.usual).toFixed(0)} calls a second`,
      );
    }
    return {
      bench: 'usual',
      figures: calls.flatMap(({ name, goal }) => [
        figure(
          `${name}, relative to the usual way`,
          median(samples[name]!.ours) / median(samples[name]!.usual),
          goal,
        ),
        figure(`${name}, calls per second`, median(samples[name]!.ours)),
      ]),
      raw: { calls_per_second: samples, connections: CONNECTIONS, round_seconds: ROUND_SECONDS },
    };
  } finally {
    rival?.kill('SIGTERM');
    if (gateway) await stop(gateway);
  }
}

/** Creates an agent with a token, a draft and a calendar in the firm of tickets. */
async function prepare(services: Services, url: string) {
  const { pool } = services;
  const found = await pool.query<{ slug: string; name: string }>(
    'select slug, name from workspaces where id = $1',
    [FIRM_ID],
  );
  const firm = { id: FIRM_ID, ...found.rows[0]! };
  const agent = await createUser(services, { firm, permissions: ['view_tickets', 'manage_tickets'] });
  const { text: token } = await createToken(services, { user: agent, workspace: firm.slug });
  const mailbox = await createMailbox(services, { firm, writes: [agent] });
  const draft = await createMailMessage(services, { mailbox, folder: 'drafts' });
  const calendar_id = await createCalendar(services, { firm, owner: agent });
  await createEvents(services, eventsOf(calendar_id));
  const { rows: open } = await pool.query<{ id: string }>(
    'select id from tickets where workspace_id = $1 and closed_at is null order by id limit 1',
    [FIRM_ID],
  );
  const { rows: words } = await pool.query<{ body: string }>(
    'select body from ticket_messages where workspace_id = $1 order by id limit 1',
    [FIRM_ID],
  );
  await pool.query('analyze');
  const q = words[0]!.body.split(' ').slice(3, 5).join(' ');
  const same = (request: Request) => ({ ours: request, usual: request });
  const draftBody = {
    address_id: mailbox.id,
    draft_id: draft.id,
    to: ['ann@example.com', 'bob@example.com'],
    subject: 'Your payout',
    body: '<p>Thank you for your patience while we look into the payout of last week.</p>\n'.repeat(25),
  };
  const reply = { ticket: open[0]!.id, body: 'Thank you for your patience: the payout was sent today.' };
  const calls: Call[] = [
    { name: 'ping', goal: '>= 3', ...same({ method: 'GET', path: '/v1/ping' }) },
    { name: 'ticket list', goal: '>= 3', ...same({ method: 'GET', path: '/v1/admin/tickets' }) },
    {
      name: 'search of two words',
      goal: '>= 5',
      ...same({ method: 'GET', path: `/v1/admin/tickets?q=${encodeURIComponent(q)}` }),
    },
    {
      name: 'draft',
      goal: '>= 1.5',
      ...same({ method: 'POST', path: '/v1/me/mail/drafts', body: draftBody }),
    },
    {
      name: 'calendar window of 31 days',
      goal: '>= 10',
      ...same({
        method: 'GET',
        path: `/v1/me/calendar/events?from=${FROM.toISOString()}&until=${UNTIL.toISOString()}`,
      }),
    },
    {
      name: 'reply',
      goal: '>= 1.2',
      ours: { method: 'POST', path: '/trpc/tickets.reply', body: { json: reply } },
      usual: {
        method: 'POST',
        path: `/v1/admin/tickets/${reply.ticket}/replies`,
        body: { body: reply.body },
      },
    },
  ];
  return { url, token, calls };
}

function eventsOf(calendar_id: number) {
  const local = (time: number) => new Date(time).toISOString().slice(0, 19);
  return Array.from({ length: SERIES + SINGLES }, (_, n) => {
    const isSeries = n < SERIES;
    const day = isSeries
      ? FROM.getTime() - (n + 1) * 10 * DAY_MS
      : FROM.getTime() + (((n * 7) % 730) - 365) * DAY_MS;
    const start = day + (8 + (n % 10)) * 3_600_000;
    return {
      calendar_id,
      title: `Meeting ${n}`,
      description: 'The agenda of the meeting, and the notes of the last one.',
      starts_at: local(start),
      ends_at: local(start + 45 * 60_000),
      timezone: ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'UTC'][n % 4]!,
      recurrence_rule: isSeries ? 'FREQ=WEEKLY' : null,
    };
  });
}

/** Throws if the two do not answer the same rows. */
async function checkSame(call: Call, ours: string, usual: string, token: string): Promise<void> {
  if (call.ours.method !== 'GET' || call.name === 'ping') return;
  const [first, second] = await Promise.all(
    [`${ours}${call.ours.path}`, `${usual}${call.usual.path}`].map(async (url) => {
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      const { data } = (await response.json()) as { data?: { id: unknown; starts_at?: string }[] };
      return JSON.stringify([response.status, data?.map(({ id, starts_at }) => [id, starts_at])]);
    }),
  );
  if (first !== second) throw new Error(`${call.name} differs:\n${first}\n${second}`);
}

async function load(url: string, { method, path, body }: Request, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const result = await autocannon({
    url: `${url}${path}`,
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
    requests: [
      {
        method,
        setupRequest: (request) => ({
          ...request,
          headers: { ...headers, ...(body && { 'idempotency-key': randomUUID() }) },
          ...(body && { body: JSON.stringify(body) }),
        }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}${path}: ${result.non2xx} non-2xx answers and ${result.errors} errors under load`);
  }
  return result.requests.average;
}
