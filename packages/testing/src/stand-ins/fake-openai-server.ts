import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';

/** How the server answers. */
export type Behaviour =
  /** Streams the words with pauses and ends like the API. With `finish: null` the finish reason is left out. */
  | { kind: 'reply'; words: readonly string[]; pauseMs?: number; finish?: string | null }
  /** Streams the words, then nothing more, with the connection kept open. */
  | { kind: 'stall'; words: readonly string[] }
  /** Streams the words, waits, streams the others, and ends like the API. */
  | { kind: 'hold'; words: readonly string[]; until: Promise<unknown>; others?: readonly string[] }
  /** Streams the words, then resets the connection (`cut`), or ends the response without `[DONE]` (`end`). */
  | { kind: 'break'; words: readonly string[]; how: 'cut' | 'end' }
  /** Rejects the request, with `Retry-After` if it is given. */
  | { kind: 'error'; status: number; retryAfter?: string }
  /** Closes the connection before it answers. */
  | { kind: 'hang-up' }
  /** Streams the words, then an error event. */
  | { kind: 'stream-error'; words: readonly string[] }
  /** Sends the bytes and ends the response. */
  | { kind: 'raw'; bytes: string }
  /** Answers as a file of cases says. */
  | ({ kind: 'script' } & Script);

/** What an endpoint does when it is asked. */
export interface Script {
  status?: number;
  headers?: Record<string, string>;
  steps: readonly Step[];
  /** After the steps: the response ends, the connection breaks, or it stays open. */
  close?: 'end' | 'reset' | 'open';
  /** A request with this parameter is refused. */
  refuses?: { parameter: string; status: number; body: unknown };
}

/** One write, or several. */
export type Step =
  /** A piece of the reply. */
  | { text: string }
  /** The delta of a choice, as it is. */
  | { delta: object }
  | { finish: string }
  /** The data of an event, as JSON, and its name. */
  | { event: unknown; name?: string }
  | { done: true }
  /** These characters, or bytes. */
  | { raw: string }
  | { base64: string }
  | { pauseMs: number }
  | { times: number; steps: readonly Step[] }
  /** What the steps write, with a write for each byte. */
  | { byBytes: readonly Step[] };

/** A request that the server received. */
export interface Request {
  authorization: string | undefined;
  traceparent: string | undefined;
  /** With the query. */
  path: string;
  body: {
    model: string;
    stream: boolean;
    messages: { role: string; content: string }[];
    max_tokens?: number;
    max_completion_tokens?: number;
  };
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
    const path = req.url ?? '';
    if (req.method !== 'POST' || path.split('?')[0] !== '/v1/chat/completions')
      return void res.writeHead(404).end();
    const { authorization, traceparent } = req.headers;
    const body = JSON.parse(text);
    const request = { authorization, traceparent: traceparent as string | undefined, path, body };
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
    const { status, body: refusal, parameter } = (behaviour.kind === 'script' && behaviour.refuses) || {};
    if (status !== undefined && parameter! in request.body) {
      res.writeHead(status, { 'content-type': 'application/json' });
      return void res.end(JSON.stringify(refusal));
    }
    open++;
    res.once('close', () => open--);
    if (behaviour.kind === 'script') return void (await play(behaviour, res));
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
        for (const word of behaviour.others ?? [])
          send(res, { choices: [{ index: 0, delta: { content: word } }] });
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

async function play(
  { status = 200, headers = { 'content-type': 'text/event-stream' }, steps, close = 'end' }: Script,
  res: ServerResponse,
): Promise<void> {
  res.writeHead(status, headers);
  res.flushHeaders();
  for await (const bytes of writesOf(steps)) {
    if (res.destroyed) return;
    res.write(bytes);
    // Each write is sent by itself.
    await setImmediate();
  }
  if (close === 'end') res.end();
  if (close === 'reset') res.destroy();
}

async function* writesOf(steps: readonly Step[]): AsyncGenerator<Buffer> {
  for (const step of steps) {
    if ('pauseMs' in step) await setTimeout(step.pauseMs);
    else if ('times' in step) for (let n = 0; n < step.times; n++) yield* writesOf(step.steps);
    else if ('byBytes' in step) {
      for await (const bytes of writesOf(step.byBytes)) for (const byte of bytes) yield Buffer.of(byte);
    } else yield bytesOf(step);
  }
}

function bytesOf(
  step: Exclude<Step, { pauseMs: number } | { times: number } | { byBytes: unknown }>,
): Buffer {
  if ('base64' in step) return Buffer.from(step.base64, 'base64');
  if ('raw' in step) return Buffer.from(step.raw);
  if ('done' in step) return Buffer.from('data: [DONE]\n\n');
  if ('event' in step) {
    const name = step.name === undefined ? '' : `event: ${step.name}\n`;
    return Buffer.from(`${name}data: ${JSON.stringify(step.event)}\n\n`);
  }
  const choice =
    'finish' in step
      ? { delta: {}, finish_reason: step.finish }
      : { delta: deltaOf(step), finish_reason: null };
  return Buffer.from(frameOf({ choices: [{ index: 0, ...choice }] }));
}

function deltaOf(step: { text: string } | { delta: object }): object {
  return 'text' in step ? { content: step.text } : step.delta;
}

function send(res: ServerResponse, chunk: object): void {
  res.write(frameOf(chunk));
}

function frameOf(chunk: object): string {
  const whole = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'stand-in',
    ...chunk,
  };
  return `data: ${JSON.stringify(whole)}\n\n`;
}
