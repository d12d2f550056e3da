import { once } from 'node:events';
import superjson from 'superjson';
import { WebSocket } from 'ws';

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came and asserts on it
type Message = any;

/** A websocket spoken to frame by frame. */
export interface RawSocket {
  ws: WebSocket;
  messages: Message[];
  /** Sends a call; returns its first answer: the error's data, or the result. */
  call(method: 'query' | 'mutation' | 'subscription', path: string, input?: unknown): Promise<Message>;
  /** The code and reason with which the server closed. */
  closed: Promise<[code: number, reason: string]>;
}

interface SocketOptions {
  /** Sent as `connectionParams`; left out, none are announced. */
  params?: Record<string, unknown>;
  headers?: Record<string, string>;
  query?: string;
}

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
      const mine = ++id;
      ws.send(JSON.stringify({ id: mine, method, params: { path, input: superjson.serialize(input) } }));
      for (;;) {
        const answer = messages.find((message) => message.id === mine);
        if (answer) return answer.error?.json.data ?? answer.result;
        await Promise.race([
          once(ws, 'message'),
          closed.then(([code]) => Promise.reject(new Error(`closed: ${code}`))),
        ]);
      }
    },
  };
}

/** The status that an upgrade is refused with. */
export async function refusedUpgrade(url: string, headers: Record<string, string> = {}): Promise<number> {
  const ws = new WebSocket(url.replace('http', 'ws'), { headers });
  ws.on('error', () => {});
  const [, response] = await once(ws, 'unexpected-response');
  response.resume();
  ws.terminate();
  return response.statusCode;
}
