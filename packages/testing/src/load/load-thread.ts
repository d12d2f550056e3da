/**
 * Sends calls to a gateway from a worker thread, so that the gateway has the event loop of the main thread for itself.
 */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

export interface Load {
  url: string;
  token: string;
  /** POST calls, sent concurrently. `{{text}}` in a body is replaced by `text`, repeated `times` times. */
  calls: { path: string; headers: Record<string, string>; body: string; text: string; times: number }[];
}

export interface LoadResult {
  answers: { status: number; body: string }[];
  /** The durations of the pings that were sent meanwhile, one after another, in milliseconds. */
  pings: number[];
}

/** Runs the load in a worker thread. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const thread = new Worker(new URL(import.meta.url), { workerData: load });
  const [result] = (await once(thread, 'message')) as [LoadResult];
  return result;
}

if (!isMainThread && isLoad(workerData)) {
  const { url, token, calls } = workerData;
  const authorization = `Bearer ${token}`;
  const bodies = calls.map((call) =>
    Buffer.from(call.body.replace('{{text}}', call.text.repeat(call.times))),
  );
  const answering = Promise.all(
    calls.map(({ path, headers }, i) =>
      send(`${url}${path}`, {
        method: 'POST',
        headers: { authorization, ...headers, 'content-length': bodies[i]!.length },
        body: bodies[i],
      }),
    ),
  );
  const stop = new AbortController();
  const pinging = pingUntil(stop.signal, url, authorization);
  const answers = await answering;
  stop.abort();
  parentPort!.postMessage({ answers, pings: await pinging } satisfies LoadResult);
}

function isLoad(data: unknown): data is Load {
  return typeof data === 'object' && data !== null && 'calls' in data;
}

async function pingUntil(stopped: AbortSignal, url: string, authorization: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const pings: number[] = [];
  while (!stopped.aborted) {
    const started = performance.now();
    const { status } = await send(`${url}/v1/ping`, { method: 'GET', headers: { authorization }, agent });
    if (status !== 200) throw new Error(`A ping failed with status ${status}.`);
    pings.push(performance.now() - started);
  }
  agent.destroy();
  return pings;
}

interface Sent {
  method: string;
  headers: Record<string, string | number>;
  body?: Buffer | undefined;
  agent?: Agent;
}

async function send(url: string, { body, ...options }: Sent): Promise<{ status: number; body: string }> {
  const call = request(url, options);
  call.end(body);
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  return { status: answer.statusCode!, body: await text(answer) };
}
