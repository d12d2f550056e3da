import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { closeServices, createServices, migrate, withSetupLock } from '@firmdesk/domain';
import { openTemporaryServer } from '@firmdesk/postgres';
import { createTicket, createToken, createUser, createWorkspace } from '@firmdesk/testing';
import { measureParts } from './processor-time.ts';
import { type BenchReport, figure, say } from './report.ts';
import type { ViewerParameters, ViewerResult } from './stream.viewers.ts';

const REPLIES = 100;
const VIEWERS = 1_000;
/** Tokens of a reply and the milliseconds between them, as with a fast model. */
const TOKENS = 300;
const TOKEN_MS = 50;
const GATEWAYS = 2;
const ASKED_AT_ONCE = 10;

const MAIN = new URL('../../apps/gateway/src/main.ts', import.meta.url).pathname;

/**
 * Streams 100 replies concurrently to 10 viewers each, on two gateways with one worker. Each token contains the time at which
 * the model sent it. The text of each viewer is compared with the stored one.
 */
export async function run(): Promise<BenchReport> {
  const database = await openTemporaryServer();
  const model = await openModel();
  const children: ChildProcess[] = [];
  try {
    const start = async (role: 'gateway' | 'worker') => {
      const { child, url } = await startProcess(role, database.url, model.baseUrl);
      children.push(child);
      return url;
    };
    const services = await createServices({ databaseUrl: database.url, poolSizes: { main: 4 } });
    await withSetupLock(database.url, () => migrate(services));
    const firm = await createWorkspace(services);
    const agent = await createUser(services, { firm, permissions: ['view_tickets', 'manage_tickets'] });
    const trader = await createUser(services, { firm, role: 'trader' });
    const { text: token } = await createToken(services, { user: agent, workspace: firm.slug });
    const tickets: string[] = [];
    for (let n = 0; n < REPLIES; n++) {
      tickets.push(await createTicket(services, { firm, trader, status: 'awaiting_admin' }));
    }
    const gateways: string[] = [];
    for (let n = 0; n < GATEWAYS; n++) gateways.push(await start('gateway'));
    await start('worker');

    const viewers = fork(new URL('stream.viewers.ts', import.meta.url), { stdio: 'inherit' });
    children.push(viewers);
    viewers.send({ gateways, token, tickets, viewers: VIEWERS } satisfies ViewerParameters);
    await once(viewers, 'message');
    say(`${VIEWERS} viewers follow ${REPLIES} tickets on ${GATEWAYS} gateways`);

    const stopMeasuring = await measureParts(services);
    const began = performance.now();
    const asked = tickets.entries();
    const askAll = async () => {
      for (const [n, ticket] of asked) await ask(gateways[n % GATEWAYS]!, token, ticket);
    };
    await Promise.all(Array.from({ length: ASKED_AT_ONCE }, askAll));
    const [seen] = (await once(viewers, 'message')) as [ViewerResult];
    const seconds = (performance.now() - began) / 1_000;
    const parts = await stopMeasuring();

    const { rows } = await services.pool.query<{ ticket_id: string; body: string }>(
      `select ticket_id, body from ticket_messages where from_kind = 'ai' and not streaming`,
    );
    const stored = new Map(rows.map(({ ticket_id, body }) => [ticket_id, body]));
    const wrong = seen.texts.filter(([ticket, text]) => stored.get(ticket) !== text).length;
    await closeServices(services);
    const latencies = seen.latencies.sort((a, b) => a - b);
    const at = (share: number) => latencies[Math.floor(share * (latencies.length - 1))]!;
    return {
      bench: 'stream',
      figures: [
        figure('replies that were stored', stored.size, `>= ${REPLIES}`),
        figure('viewers that finished', seen.texts.length, `>= ${VIEWERS}`),
        figure('viewers with missing or duplicate text', wrong + seen.gaps, '<= 0'),
        figure('from the model’s token to the viewer, p99, ms', at(0.99), '<= 150'),
        figure('from the model’s token to the viewer, median, ms', at(0.5)),
        figure('tokens per second, all replies together', model.perSecond()),
        figure(
          'rows of the event log per second and reply',
          seen.deltasOfFirst / ((TOKENS * TOKEN_MS) / 1_000),
        ),
        ...Object.entries(parts ?? {}).map(([part, cores]) => figure(`${part}: cores in use`, cores)),
      ],
      raw: {
        seconds,
        milliseconds: Object.fromEntries(
          [0.5, 0.9, 0.99, 0.999, 1].map((share) => [`p${share * 100}`, at(share)]),
        ),
        samples: latencies.length,
        tokens: TOKENS,
        token_ms: TOKEN_MS,
      },
    };
  } finally {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
    model.close();
    await database.release();
  }
}

async function ask(url: string, token: string, ticket: string): Promise<void> {
  const response = await fetch(`${url}/v1/admin/tickets/${ticket}/ai`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: '{"instruction":"Say hello."}',
  });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
}

async function startProcess(role: string, databaseUrl: string, assistantUrl: string) {
  const child = spawn(process.execPath, [MAIN, '--role', role], {
    env: {
      DATABASE_URL: databaseUrl,
      PORT: '0',
      DEMO: '0',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_MINUTE: '0',
      ASSISTANT_BASE_URL: assistantUrl,
      ASSISTANT_MODEL: 'stand-in',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk))?.[0];
    if (url) return { child, url };
  }
  throw new Error(`The ${role} did not start.`);
}

/** Starts a model server whose tokens are the times at which they are sent. It replies once all replies were requested. */
async function openModel() {
  const waiting: ServerResponse[] = [];
  let seconds = 0;
  const server = createServer((req, res) => {
    req.resume().on('end', () => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      if (waiting.push(res) === REPLIES) void write();
    });
  });
  async function write(): Promise<void> {
    const began = performance.now();
    for (let n = 0; n < TOKENS; n++) {
      for (const res of waiting) send(res, { content: `${Date.now()} ` }, null);
      await setTimeout(Math.max(0, began + (n + 1) * TOKEN_MS - performance.now()));
    }
    seconds = (performance.now() - began) / 1_000;
    for (const res of waiting) {
      send(res, {}, 'stop');
      res.end('data: [DONE]\n\n');
    }
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    perSecond: () => (REPLIES * TOKENS) / seconds,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function send(res: ServerResponse, delta: object, finish: string | null): void {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'stand-in' };
  res.write(
    `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
  );
}
