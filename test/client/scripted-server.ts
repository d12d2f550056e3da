import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ErrorCode } from '@firmdesk/contract';

/** The response to a call: an error (in a batch, of its last call), an HTML page, no response, or success. */
export type Scripted =
  | { code: ErrorCode; status: number; retryAfter?: number }
  | { page: string; status: number }
  | 'silence'
  | 'answer';

export interface ScriptedServer extends AsyncDisposable {
  url: string;
  /** Sets the responses to the next calls, in order; later calls succeed. */
  script(...answers: Scripted[]): void;
  received: { method: string; url: string; headers: IncomingHttpHeaders }[];
}

/** Starts a fake service with scripted failures, over `/trpc` and `/v1`. */
export async function openScriptedServer(): Promise<ScriptedServer> {
  const script: Scripted[] = [];
  const received: ScriptedServer['received'] = [];
  const server = createServer((req, res) => {
    const { method, url, headers } = req as { method: string; url: string; headers: IncomingHttpHeaders };
    received.push({ method, url, headers });
    req.resume();
    const scripted = script.shift() ?? 'answer';
    if (scripted === 'silence') return;
    if (scripted !== 'answer' && 'page' in scripted) {
      res.writeHead(scripted.status, { 'content-type': 'text/html' }).end(scripted.page);
      return;
    }
    const isRpc = url.startsWith('/trpc');
    const calls = isRpc ? url.split('?')[0]!.split(',').length : 1;
    const status = scripted === 'answer' ? 200 : calls > 1 ? 207 : scripted.status;
    const body = isRpc ? rpcBody(scripted) : restBody(scripted);
    const retryAfter = scripted === 'answer' ? undefined : scripted.retryAfter;
    if (retryAfter !== undefined) res.setHeader('retry-after', retryAfter);
    const others = Array.from({ length: calls - 1 }, () => rpcBody('answer'));
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(JSON.stringify(url.includes('batch=1') ? [...others, body] : body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    script: (...answers) => void script.push(...answers),
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Json = 'answer' | { code: ErrorCode; status: number };

function rpcBody(scripted: Json) {
  if (scripted === 'answer') return { result: { data: { json: { ok: true } } } };
  const { code, status } = scripted;
  return { error: { json: { message: code, code: -32603, data: { code, httpStatus: status } } } };
}

function restBody(scripted: Json) {
  const meta = { request_id: 'req_scripted' };
  if (scripted === 'answer') return { data: { ok: true }, meta };
  return { error: { code: scripted.code, message: scripted.code }, meta };
}
