import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** How the server answers. */
export type Behaviour =
  /** Streams the words with pauses and ends like the API. With `finish: null` the finish reason is left out. */
  | { kind: 'reply'; words: readonly string[]; pauseMs?: number; finish?: string | null }
  /** Streams the words, then nothing more, with the connection kept open. */
  | { kind: 'stall'; words: readonly string[] }
  /** Streams the words, waits, and ends like the API. */
  | { kind: 'hold'; words: readonly string[]; until: Promise<unknown> }
  /** Streams the words, then resets the connection (`cut`), or ends the response without `[DONE]` (`end`). */
  | { kind: 'break'; words: readonly string[]; how: 'cut' | 'end' }
  /** Rejects the request, with `Retry-After` if it is given. */
  | { kind: 'error'; status: number; retryAfter?: string }
  /** Closes the connection before it answers. */
  | { kind: 'hang-up' }
  /** Streams the words, then an error event. */
  | { kind: 'stream-error'; words: readonly string[] }
  /** Sends the bytes and ends the response. */
  | { kind: 'raw'; bytes: string };

/** A request that the server received. */
export interface Request {
  authorization: string | undefined;
  traceparent: string | undefined;
  body: { model: string; stream: boolean; messages: { role: string; content: string }[] };
}

/** A fake of an OpenAI-compatible `/chat/completions`, with configurable behaviour. */
export interface FakeOpenAiServer extends AsyncDisposable {
  baseUrl: string;
  /** The requests, oldest first. */
  requests: Request[];
  /** Sets the behaviour for all further requests. */
  behave(behaviour: Behaviour | ((request: Request) => Behaviour)): void;
  /** Returns the number of open streams. */
  open(): number;
}

/** Starts the server on a free port. */
export async function startFakeOpenAiServer(): Promise<FakeOpenAiServer> {
  const requests: Request[] = [];
  let choose: (request: Request) => Behaviour = () => ({ kind: 'reply', words: ['Hello', ' there', '.'] });
  let open = 0;
  const server = createServer((req, res) => {
    answer(req, res).catch(() => res.destroy());
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const text = (await req.toArray()).join('');
    if (req.method !== 'POST' || req.url !== '/v1/chat/completions') return void res.writeHead(404).end();
    const { authorization, traceparent } = req.headers;
    const request = { authorization, traceparent: traceparent as string | undefined, body: JSON.parse(text) };
    requests.push(request);
    const behaviour = choose(request);
    if (behaviour.kind === 'hang-up') return void res.destroy();
    if (behaviour.kind === 'error') {
      const { retryAfter } = behaviour;
      res.writeHead(behaviour.status, {
        'content-type': 'application/json',
        ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
      });
      return void res.end(
        JSON.stringify({ error: { message: 'secret-host.internal failed', type: 'server_error' } }),
      );
    }
    open++;
    res.once('close', () => open--);
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    if (behaviour.kind === 'raw') return void res.end(behaviour.bytes);
    for (const word of behaviour.words) {
      send(res, { choices: [{ index: 0, delta: { content: word } }] });
      if (behaviour.kind === 'reply' && behaviour.pauseMs) await setTimeout(behaviour.pauseMs);
      if (res.destroyed) return;
    }
    switch (behaviour.kind) {
      case 'stall':
        return;
      case 'hold':
        await behaviour.until;
        send(res, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
        return void res.end('data: [DONE]\n\n');
      case 'break':
        // The client reads the words before the connection closes.
        if (behaviour.how === 'cut') await setTimeout(20);
        return void (behaviour.how === 'cut' ? res.destroy() : res.end());
      case 'stream-error':
        send(res, { error: { message: 'secret-host.internal failed', type: 'server_error' } });
        return void res.end();
      case 'reply': {
        const { finish = 'stop' } = behaviour;
        if (finish !== null) send(res, { choices: [{ index: 0, delta: {}, finish_reason: finish }] });
        res.end('data: [DONE]\n\n');
      }
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    behave(behaviour) {
      choose = typeof behaviour === 'function' ? behaviour : () => behaviour;
    },
    open: () => open,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function send(res: ServerResponse, chunk: object): void {
  const whole = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'stand-in',
    ...chunk,
  };
  res.write(`data: ${JSON.stringify(whole)}\n\n`);
}
