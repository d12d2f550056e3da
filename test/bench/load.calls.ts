import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { type Kind, kinds, type LoadedFirm, rates } from './load/plan.ts';

export interface CallParameters {
  url: string;
  firms: LoadedFirm[];
}

/** Calls at the rates of the firms for a time, and answers with a {@link CallResult}. */
export interface CallCommand {
  seconds: number;
}

export interface CallResult {
  /** The milliseconds of each call, from the moment at which it was due. */
  milliseconds: Record<Kind, number[]>;
  errors: string[];
  seconds: number;
}

/** A call waits for a connection, as a browser does. */
const CONNECTIONS = 64;
const CALL_MS = 30_000;

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const [{ url, firms }] = (await once(process, 'message')) as [CallParameters];
const drafts = new Map<number, string>();
let result = newResult();
let calls = 0;

process.on('message', async ({ seconds }: CallCommand) => {
  result = newResult();
  const began = performance.now();
  const until = began + seconds * 1_000;
  await Promise.all(kinds.map((kind) => callAt(kind, rates(firms.length)[kind], until)));
  result.seconds = (performance.now() - began) / 1_000;
  process.send!(result);
});
process.send!('ready');

/** Calls at a rate whatever the answers take, at random intervals, as independent people do. */
async function callAt(kind: Kind, perSecond: number, until: number): Promise<void> {
  const running: Promise<void>[] = [];
  let due = performance.now();
  for (;;) {
    due += (-Math.log(1 - Math.random()) / perSecond) * 1_000;
    if (due >= until) break;
    await setTimeout(Math.max(0, due - performance.now()));
    running.push(timed(kind, due));
  }
  await Promise.all(running);
}

async function timed(kind: Kind, due: number): Promise<void> {
  const n = calls++;
  const firm = firms[(n * 7_919) % firms.length]!;
  const token = firm.tokens[n % firm.tokens.length]!;
  const ticket = firm.tickets[n % firm.tickets.length]!;
  try {
    await perform(kind, { n, firm, token, ticket });
  } catch (error) {
    result.errors.push(`${kind}: ${(error as Error).message}`);
  }
  result.milliseconds[kind].push(performance.now() - due);
}

interface Turn {
  n: number;
  firm: LoadedFirm;
  token: string;
  ticket: LoadedFirm['tickets'][number];
}

async function perform(kind: Kind, { n, firm, token, ticket }: Turn): Promise<unknown> {
  const read = (path: string) => send(token, 'GET', path);
  const query = (name: string, input?: object) =>
    read(`/trpc/${name}${input ? `?input=${encodeURIComponent(JSON.stringify({ json: input }))}` : ''}`);
  const mutate = (name: string, input: object) => send(token, 'POST', `/trpc/${name}`, { json: input });
  switch (kind) {
    case 'ticket list':
      return read('/v1/admin/tickets?status=open');
    case 'ticket':
      return query('tickets.get', { ticket: ticket.id });
    case 'conversation':
      return query('tickets.messages', { ticket: ticket.id, limit: 50 });
    case 'search':
      return read(
        `/v1/admin/tickets?q=${encodeURIComponent(firm.searches[n % firm.searches.length]!.slice(0, 100))}`,
      );
    case 'calendar window':
      return read('/v1/me/calendar/events');
    case 'mail list':
      return query('mail.list', { address_id: firm.mailbox, limit: 50 });
    case 'counts':
      return query('tickets.counts', {});
    case 'trader message':
      return mutate('tickets.platform.write', {
        ticket: ticket.id,
        from: ticket.trader,
        body: `When will the payout of order ${n} be sent?`,
      });
    case 'reply':
      return mutate('tickets.reply', { ticket: ticket.id, body: `We sent it today, under the number ${n}.` });
    case 'note':
      return mutate('tickets.addNote', { ticket: ticket.id, body: `Checked order ${n} with the bank.` });
    case 'status change':
      return mutate('tickets.setStatus', {
        ticket: ticket.id,
        status: n % 2 === 0 ? 'awaiting_admin' : 'awaiting_trader',
      });
    case 'read mark':
      return mutate('tickets.markRead', { ticket: ticket.id });
    case 'draft':
      return saveDraft(firm, token, n);
    case 'AI command':
      return send(token, 'POST', `/v1/admin/tickets/${firm.commandTicket}/ai`, { instruction: 'Say hello.' });
  }
}

async function saveDraft(firm: LoadedFirm, token: string, n: number): Promise<void> {
  const known = drafts.get(firm.id);
  const { data } = JSON.parse(
    await send(token, 'POST', '/v1/me/mail/drafts', {
      address_id: firm.mailbox,
      to: ['ann@elsewhere.example'],
      subject: `Your payout, version ${n}`,
      body: '<p>Thank you for your patience while we look into it.</p>'.repeat(10),
      ...(known && { draft_id: known }),
    }),
  ) as { data: { id: string } };
  drafts.set(firm.id, data.id);
}

function send(token: string, method: string, path: string, body?: object): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
  };
  return new Promise((resolve, reject) => {
    const req = request(`${url}${path}`, { method, headers, agent, timeout: CALL_MS }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      res.on('error', reject);
      res.on('end', () => {
        if (res.statusCode! < 300) resolve(text);
        else reject(new Error(`${res.statusCode} ${text.slice(0, 300)}`));
      });
    });
    req.on('timeout', () => req.destroy(new Error('no answer in time')));
    req.on('error', reject);
    req.end(body && JSON.stringify(body));
  });
}

function newResult(): CallResult {
  const milliseconds = Object.fromEntries(kinds.map((kind) => [kind, [] as number[]]));
  return { milliseconds: milliseconds as CallResult['milliseconds'], errors: [], seconds: 0 };
}
