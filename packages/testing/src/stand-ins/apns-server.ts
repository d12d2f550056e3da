import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const file = (name: string) => new URL(name, import.meta.url).pathname;
/** Only for tests: the stand-in's self-signed certificate, and its key, which also serves as the provider's signing key. */
export const CERTIFICATE_FILE = file('apns-certificate.pem');
export const KEY_FILE = file('apns-key.pem');

/** The response to one request. The default for a well-formed request is 200. */
export type ApnsScript =
  | { status: number; reason?: string; timestamp?: number; retryAfter?: number | string }
  /** No response. */
  | 'stall'
  /** The stream is reset. */
  | 'reset'
  /** The connection ends with GOAWAY, without processing the request. */
  | 'goaway';

/** A request that the stand-in received. */
export interface ApnsReceived {
  deviceToken: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on its content
  payload: any;
  bytes: number;
  answered: ApnsScript;
}

export interface ApnsServer extends AsyncDisposable {
  url: string;
  received: ApnsReceived[];
  /** Returns the number of connections that were opened. */
  connections(): number;
  /** Sets the responses to the next requests, in order. */
  script(...answers: ApnsScript[]): void;
  /** Sets the response to every other request, by its device token. */
  answerAll(answer: (deviceToken: string) => ApnsScript): void;
}

interface ApnsServerOptions {
  port?: number;
  /** Concurrent streams per connection (1,000). */
  streams?: number;
  /** The delay of each response (0). */
  answerAfterMs?: number;
  onReceived?: (received: ApnsReceived) => void;
}

const OK: ApnsScript = { status: 200 };
const MAX_PAYLOAD = 4_096;

/** Starts a stand-in for Apple's push service: HTTP/2 over TLS, its checks of a request, and scripted responses. */
export async function openApnsServer({
  port = 0,
  streams = 1_000,
  answerAfterMs = 0,
  onReceived,
}: ApnsServerOptions = {}): Promise<ApnsServer> {
  const received: ApnsReceived[] = [];
  const scripts: ApnsScript[] = [];
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  let opened = 0;
  let defaultAnswer: (deviceToken: string) => ApnsScript = () => OK;
  const server = createSecureServer({
    key: readFileSync(KEY_FILE),
    cert: readFileSync(CERTIFICATE_FILE),
    settings: { maxConcurrentStreams: streams },
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('session', (session) => {
    opened++;
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => {});
  });
  server.on('stream', async (stream, headers) => {
    stream.on('error', () => {});
    const body = await textOf(stream).catch(() => null);
    if (body === null) return;
    const deviceToken = /^\/3\/device\/([0-9a-f]+)$/.exec(headers[':path'] ?? '')?.[1] ?? '';
    const answered = validate(headers, deviceToken, body) ?? scripts.shift() ?? defaultAnswer(deviceToken);
    const entry = { deviceToken, headers, payload: parsed(body), bytes: Buffer.byteLength(body), answered };
    received.push(entry);
    onReceived?.(entry);
    if (answerAfterMs > 0) await sleep(answerAfterMs);
    answer(stream, headers, answered);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    connections: () => opened,
    script: (...answers) => void scripts.push(...answers),
    answerAll(answer) {
      defaultAnswer = answer;
    },
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy();
      // A connection during its handshake has no session yet.
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns the error that Apple sends before it looks at the device, or null. */
function validate(headers: IncomingHttpHeaders, deviceToken: string, body: string): ApnsScript | null {
  if (headers[':method'] !== 'POST') return { status: 405, reason: 'MethodNotAllowed' };
  if (!/^bearer [\w-]+\.[\w-]+\.[\w-]+$/.test(headers.authorization ?? ''))
    return { status: 403, reason: 'MissingProviderToken' };
  if (!headers['apns-topic']) return { status: 400, reason: 'MissingTopic' };
  if (!headers['apns-push-type']) return { status: 400, reason: 'InvalidPushType' };
  if (deviceToken === '') return { status: 400, reason: 'BadDeviceToken' };
  if (Buffer.byteLength(body) > MAX_PAYLOAD) return { status: 413, reason: 'PayloadTooLarge' };
  if (parsed(body)?.aps === undefined) return { status: 400, reason: 'PayloadEmpty' };
  return null;
}

function answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, script: ApnsScript): void {
  if (script === 'stall' || stream.destroyed) return;
  if (script === 'reset') {
    stream.close(2);
    return;
  }
  if (script === 'goaway') {
    stream.session?.goaway(0, 0);
    stream.session?.destroy();
    return;
  }
  const { status, reason, timestamp, retryAfter } = script;
  stream.respond({
    ':status': status,
    'apns-id': headers['apns-id'],
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  });
  stream.end(status === 200 ? undefined : JSON.stringify({ reason, ...(timestamp && { timestamp }) }));
}

async function textOf(stream: ServerHttp2Stream): Promise<string> {
  stream.setEncoding('utf8');
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

function parsed(body: string) {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
