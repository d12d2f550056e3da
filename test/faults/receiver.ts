import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookEvent } from '@firmdesk/contract';

/** An endpoint of webhooks that accepts every event, and what has arrived there, in order. */
export interface WebhookReceiver extends AsyncDisposable {
  url: string;
  arrived: WebhookEvent[];
  /** Calls `act` when the next event has arrived and before it is answered. Resolves with the event when the answer has been sent. */
  aroundNext(act: () => void): Promise<WebhookEvent>;
}

interface Awaited {
  act: () => void;
  resolve(event: WebhookEvent): void;
}

export async function openReceiver(): Promise<WebhookReceiver> {
  const arrived: WebhookEvent[] = [];
  let next: Awaited | null = null;
  const server = createServer(async (request, response) => {
    let body = '';
    try {
      for await (const chunk of request) body += chunk;
    } catch {
      // The sender was killed while it wrote.
      return;
    }
    const event = JSON.parse(body) as WebhookEvent;
    arrived.push(event);
    const awaited = next;
    next = null;
    awaited?.act();
    response.writeHead(204).end(() => awaited?.resolve(event));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    arrived,
    aroundNext: (act) =>
      new Promise((resolve) => {
        next = { act, resolve };
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
