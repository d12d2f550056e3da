import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { openSocket } from '@firmdesk/gateway/testing';
import type { Random } from './random.ts';

const SOCKETS = 20;
/** As many as a socket may hold, so that each event goes out as often. */
const SUBSCRIPTIONS = 50;

/** Viewers follow a ticket many times over and read nothing of it; resolves when they were all cut off, or have gone. */
export async function stare(
  { url, token, ticket }: { url: string; token: string; ticket: string },
  random: Random,
): Promise<void> {
  const sockets = await Promise.all(
    Array.from({ length: SOCKETS }, async () => {
      const socket = await openSocket(url, { params: { token } });
      await Promise.all(
        Array.from({ length: SUBSCRIPTIONS }, () =>
          socket.call('subscription', 'tickets.stream', { ticket }),
        ),
      );
      return socket.ws;
    }),
  );
  for (const ws of sockets) ws.pause();
  await setTimeout(random.between(4_000, 6_000));
  await Promise.all(
    sockets.map(async (ws) => {
      const closed = once(ws, 'close');
      ws.terminate();
      await closed;
    }),
  );
}
