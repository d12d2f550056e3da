import { once } from 'node:events';
import { WebSocket } from 'ws';
import { rpcInput } from './rpc-input.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests assert on untyped answers
type Message = any;

/** A websocket without tRPC's client, for single frames. */
export interface RawSocket {
  ws: WebSocket;
  messages: Message[];
  /** Sends a call and returns the data of its error, or its first result. */
  call(method: 'query' | 'mutation' | 'subscription', path: string, input?: unknown): Promise<Message>;
  /** The close code and reason of the server. */
  closed: Promise<[code: number, reason: string]>;
}

interface SocketOptions {
  /** Sent as `connectionParams`. If omitted, the URL announces none. */
  params?: Record<string, unknown>;
  headers?: Record<string, string>;
  query?: string;
}

/** Opens a websocket to `/trpc` and authenticates it with `params`. */
export async function openSocket(url: string, options: SocketOptions = {}): Promise<RawSocket> {
  const query = options.query ?? (options.params ? '?connectionParams=1' : '');
  const ws = new WebSocket(`${url.replace('http', 'ws')}/trpc${query}`, { headers: options.headers });
  const messages: Message[] = [];
  ws.on('message', (data) => {
    const text = data.toString();
    messages.push(text === 'PING' || text === 'PONG' ? text : JSON.parse(text));
  });
  const closed = once(ws, 'close').then(([code, reason]): [number, string] => [code, reason.toString()]);
  await once(ws, 'open');
  if (options.params) ws.send(JSON.stringify({ method: 'connectionParams', data: options.params }));
  let id = 0;
  return {
    ws,
    messages,
    closed,
    async call(method, path, input) {
      const callId = ++id;
      ws.send(JSON.stringify({ id: callId, method, params: { path, input: rpcInput(input) } }));
      for (;;) {
        const answer = messages.find((message) => message.id === callId);
        if (answer) return answer.error?.json.data ?? answer.result;
        await Promise.race([
          once(ws, 'message'),
          closed.then(([code]) => Promise.reject(new Error(`closed: ${code}`))),
        ]);
      }
    },
  };
}

/** Returns the status with which the server rejects an upgrade. */
export async function refusedUpgrade(url: string, headers: Record<string, string> = {}): Promise<number> {
  const ws = new WebSocket(url.replace('http', 'ws'), { headers });
  ws.on('error', () => {});
  const [, response] = await once(ws, 'unexpected-response');
  response.resume();
  ws.terminate();
  return response.statusCode;
}
