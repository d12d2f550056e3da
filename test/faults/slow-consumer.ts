import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import superjson from 'superjson';
import { WebSocket } from 'ws';
import type { Random } from './random.ts';

const SOCKETS = 10;
/** The maximum per socket, so that each event is sent this often. */
const SUBSCRIPTIONS = 50;

interface StreamAddress {
  url: string;
  token: string;
  ticket: string;
}

/** Opens sockets that subscribe to a ticket many times and read nothing. */
export async function openSlowConsumer(at: StreamAddress, random: Random): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => openIdle(at)));
  await setTimeout(random.between(4_000, 6_000));
  for (const ws of sockets) ws.terminate();
}

/** Opens a socket with subscriptions that stops reading. */
async function openIdle({ url, token, ticket }: StreamAddress): Promise<WebSocket> {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/trpc?connectionParams=1`);
  await once(ws, 'open');
  // The gateway will close it.
  ws.on('error', () => {});
  const params = { path: 'tickets.stream', input: superjson.serialize({ ticket }) };
  ws.send(JSON.stringify({ method: 'connectionParams', data: { token } }));
  for (let id = 1; id <= SUBSCRIPTIONS; id++) ws.send(JSON.stringify({ id, method: 'subscription', params }));
  const { promise: areStarted, resolve } = Promise.withResolvers<void>();
  let started = 0;
  ws.on('message', (data) => {
    if (String(data).includes('"started"') && ++started === SUBSCRIPTIONS) resolve();
  });
  ws.once('close', () => resolve());
  await areStarted;
  ws.pause();
  return ws;
}
