import { randomUUID } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import superjson from 'superjson';

/** Limit of one attempt. */
const ATTEMPT_MS = 60_000;
/** A call that has not succeeded after this time, with all its attempts, is given up. */
const CALL_MS = 180_000;
const RECONNECT_MS = 100;
/** Errors that clients must expect during a fault; each answer names the pause before the retry. */
const TRANSIENT = new Set(['unavailable', 'rate_limited', 'idempotency_key_in_use']);

/** The errors that clients received. */
export class Tally {
  /** The number of retried calls by reason. */
  errors = new Map<string, number>();
  /** Answers that no fault may cause. */
  wrong: string[] = [];
  longestMs = 0;

  note(error: string): void {
    this.errors.set(error, (this.errors.get(error) ?? 0) + 1);
  }

  took(milliseconds: number): void {
    this.longestMs = Math.max(this.longestMs, milliseconds);
  }
}

export interface Call {
  /** `POST /v1/me/devices`, or a mutation of typed RPC: `tickets.reply`. */
  target: string;
  token: string;
  body?: object;
}

// biome-ignore lint/suspicious/noExplicitAny: the caller knows the form of the answer
type Data = any;

/**
 * A client that follows the rules: one key for all attempts of a call, the pause that an answer asks for, and another gateway
 * after `Connection: close` or a lost connection.
 */
export class Client {
  readonly #urls: readonly string[];
  readonly #tally: () => Tally;
  /** A client makes one call at a time. `fetch` would take three times as much processor time. */
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #at: number;

  /** @param first the index of the first gateway */
  constructor(urls: readonly string[], first: number, tally: () => Tally) {
    this.#urls = urls;
    this.#at = first;
    this.#tally = tally;
  }

  /** Returns the answer; null if the call was rejected or given up. */
  async call(call: Call): Promise<Data | null> {
    const key = randomUUID();
    const until = performance.now() + CALL_MS;
    while (performance.now() < until) {
      const attempt = await this.#attempt(call, key);
      if (attempt.outcome === 'done') return attempt.data;
      if (attempt.outcome === 'rejected') return null;
      await setTimeout(attempt.pauseMs);
    }
    this.#tally().wrong.push(`${call.target} did not succeed in time`);
    return null;
  }

  async #attempt(call: Call, key: string): Promise<Attempt> {
    const tally = this.#tally();
    const began = performance.now();
    try {
      const response = await this.#send(call, key);
      tally.took(performance.now() - began);
      if (response.headers.connection === 'close') this.#at++;
      return judge(call, response, tally);
    } catch (error) {
      tally.took(performance.now() - began);
      const code = codeOf(error);
      if (code === 'TimeoutError')
        tally.wrong.push(`${call.target} got no answer within ${ATTEMPT_MS / 1_000} s`);
      tally.note(code);
      this.#at++;
      return { outcome: 'retry', pauseMs: RECONNECT_MS };
    }
  }

  #send({ target, token, body }: Call, key: string): Promise<Response> {
    const [method, path] = (target.includes(' ') ? target : `POST /trpc/${target}`).split(' ') as [
      string,
      string,
    ];
    const sent = path.startsWith('/trpc/') ? superjson.serialize(body) : body;
    const headers = {
      authorization: `Bearer ${token}`,
      ...(sent && { 'content-type': 'application/json', 'idempotency-key': key }),
    };
    const options = { method, headers, agent: this.#agent, timeout: ATTEMPT_MS };
    return new Promise((resolve, reject) => {
      const req = request(`${this.#urls[this.#at % this.#urls.length]}${path}`, options, (res) => {
        let text = '';
        res.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        res.on('end', () => resolve({ status: res.statusCode!, headers: res.headers, text }));
        res.on('error', reject);
      });
      req.on('timeout', () => req.destroy(new TimeoutError('The call got no answer.')));
      req.on('error', reject);
      req.end(sent && JSON.stringify(sent));
    });
  }
}

interface Response {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

class TimeoutError extends Error {
  override name = 'TimeoutError';
}

type Attempt =
  | { outcome: 'done'; data: Data }
  | { outcome: 'rejected' }
  | { outcome: 'retry'; pauseMs: number };

function judge({ target }: Call, { status, headers, text }: Response, tally: Tally): Attempt {
  const answer = JSON.parse(text);
  if (status < 300) return { outcome: 'done', data: answer.data ?? answer.result.data.json };
  const code: string = answer.error.code ?? answer.error.json.data.code;
  const pause = Number(headers['retry-after']);
  if (TRANSIENT.has(code) && pause > 0) {
    tally.note(`${status} ${code}`);
    return { outcome: 'retry', pauseMs: pause * 1_000 };
  }
  tally.wrong.push(
    `${target} was answered ${status} ${code}${TRANSIENT.has(code) ? ' without Retry-After' : ''}`,
  );
  return { outcome: 'rejected' };
}

function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    if (at.name === 'TimeoutError') return at.name;
  }
  return String(error);
}
