import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { InboxStreamEvent, TicketStreamEvent } from '@firmdesk/contract';
import { WebSocket } from 'ws';

/** What the sockets follow: each token the inbox of its firm, the first of a firm also the ticket on which commands are given. */
export interface SocketParameters {
  url: string;
  firms: { id: number; tokens: string[]; commandTicket: string }[];
}

/** What must have arrived at the end. */
export interface Expected {
  firms: { id: number; tickets: { id: string; lastMessageAt: string; status: string; unread: number }[] }[];
  replies: { firm: number; id: string; text: string }[];
}

export interface SocketResult {
  sockets: number;
  events: number;
  /** The sockets that the server closed. */
  closed: number;
  /** Changes that a socket did not receive, and replies that were not received whole. */
  lost: number;
  examples: string[];
}

const ARRIVAL_MS = 15_000;
const CONNECTED_AT_ONCE = 20;

const [{ url, firms }] = (await once(process, 'message')) as [SocketParameters];
const inboxes: { firm: number; seen: Map<string, string> }[] = [];
const texts = new Map<string, string>();
const faults: string[] = [];
let events = 0;
let closed = 0;

const agents = firms.flatMap((firm) => firm.tokens.map((token, n) => ({ firm, token, isFirst: n === 0 })));
const waiting = [...agents.entries()];
await Promise.all(
  Array.from({ length: CONNECTED_AT_ONCE }, async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await open(next[1], next[0]);
  }),
);
process.send!('ready');

const [expected] = (await once(process, 'message')) as [Expected];
const deadline = performance.now() + ARRIVAL_MS;
while (missing(expected).length > 0 && performance.now() < deadline) await setTimeout(200);
const lost = [...missing(expected), ...faults];
const result: SocketResult = {
  sockets: agents.length,
  events,
  closed,
  lost: lost.length,
  examples: lost.slice(0, 10),
};
process.send!(result, () => process.exit(0));

function open({ firm, token, isFirst }: (typeof agents)[number], n: number): Promise<void> {
  const inbox = { firm: firm.id, seen: new Map<string, string>() };
  inboxes.push(inbox);
  // Many addresses, because the gateway limits the unauthenticated sockets of each.
  const localAddress = `127.1.${n % 250}.${1 + (Math.floor(n / 250) % 250)}`;
  const ws = new WebSocket(`${url.replace('http', 'ws')}/trpc?connectionParams=1`, {
    localAddress,
    perMessageDeflate: false,
  });
  return new Promise((resolve, reject) => {
    let started = 0;
    const subscribe = (id: number, path: string, input: object) =>
      ws.send(JSON.stringify({ id, method: 'subscription', params: { path, input: { json: input } } }));
    ws.on('open', () => {
      ws.send(JSON.stringify({ method: 'connectionParams', data: { token } }));
      subscribe(1, 'tickets.live', {});
      if (isFirst) subscribe(2, 'tickets.stream', { ticket: firm.commandTicket });
    });
    ws.on('message', (data) => {
      const frame = String(data);
      if (frame === 'PING') return ws.send('PONG');
      const { id, result, error } = JSON.parse(frame);
      if (error) return void faults.push(frame.slice(0, 200));
      if (result?.type === 'started' && ++started === (isFirst ? 2 : 1)) resolve();
      if (result?.type !== 'data') return;
      events++;
      const { data: event } = result.data.json;
      if (id === 1) takeChange(inbox.seen, event);
      else takeText(event);
    });
    ws.on('error', reject);
    ws.on('close', () => closed++);
  });
}

function takeChange(seen: Map<string, string>, event: InboxStreamEvent): void {
  if (event.type !== 'ticket.updated') return void faults.push(`an inbox got ${event.type}`);
  const { id, last_message_at, status, unread } = event.ticket;
  seen.set(id, stateOf({ lastMessageAt: last_message_at, status, unread }));
}

function takeText(event: TicketStreamEvent): void {
  if (event.type === 'resync') faults.push('a ticket got a resync');
  if (event.type === 'snapshot') texts.set(event.message_id, event.text);
  if (event.type === 'text_reset') texts.set(event.message_id, '');
  if (event.type !== 'text_delta') return;
  const text = texts.get(event.message_id) ?? '';
  if (event.offset !== text.length) faults.push(`a delta at ${event.offset} after ${text.length}`);
  texts.set(event.message_id, text + event.text);
}

function missing(due: Expected): string[] {
  const ticketsOf = new Map(due.firms.map(({ id, tickets }) => [id, tickets]));
  const changes = inboxes.flatMap(({ firm, seen }) =>
    (ticketsOf.get(firm) ?? []).flatMap(({ id, ...state }) =>
      seen.get(id) === stateOf(state) ? [] : `${id}: ${seen.get(id)} instead of ${stateOf(state)}`,
    ),
  );
  const replies = due.replies.flatMap(({ id, text }) =>
    texts.get(id) === text ? [] : `${id}: ${texts.get(id)?.length} of ${text.length} characters`,
  );
  return [...changes, ...replies];
}

function stateOf({
  lastMessageAt,
  status,
  unread,
}: {
  lastMessageAt: string;
  status: string;
  unread: number;
}) {
  return `${lastMessageAt} ${status} ${unread}`;
}
