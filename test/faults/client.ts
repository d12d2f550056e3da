import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import superjson from 'superjson';

/** A call without an answer after this time counts as hanging. */
const HANGS_MS = 60_000;
/** A call that has not succeeded by this time is given up. */
const PATIENCE_MS = 180_000;
const RECONNECT_MS = 100;
/** Errors that clients must expect during a fault; each answer names the pause before the retry. */
const PASSING = new Set(['unavailable', 'rate_limited', 'idempotency_key_in_use']);

/** The errors that clients received. */
export class Tally {
  /** Retried calls, by reason. */
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
    const until = performance.now() + PATIENCE_MS;
    while (performance.now() < until) {
      const tried = await this.#attempt(call, key);
      if (tried.outcome === 'done') return tried.data;
      if (tried.outcome === 'refused') return null;
      await setTimeout(tried.pauseMs);
    }
    this.#tally().wrong.push(`${call.target} was never answered well`);
    return null;
  }

  async #attempt(call: Call, key: string): Promise<Attempt> {
    const tally = this.#tally();
    const began = performance.now();
    try {
      const response = await this.#send(call, key);
      const text = await response.text();
      tally.took(performance.now() - began);
      if (response.headers.get('connection') === 'close') this.#at++;
      return judge(call, response, text, tally);
    } catch (error) {
      tally.took(performance.now() - began);
      const code = codeOf(error);
      if (code === 'TimeoutError') tally.wrong.push(`${call.target} hangs`);
      tally.note(code);
      this.#at++;
      return { outcome: 'again', pauseMs: RECONNECT_MS };
    }
  }

  #send({ target, token, body }: Call, key: string): Promise<Response> {
    const [method, path] = (target.includes(' ') ? target : `POST /trpc/${target}`).split(' ') as [
      string,
      string,
    ];
    const sent = path.startsWith('/trpc/') ? superjson.serialize(body) : body;
    return fetch(`${this.#urls[this.#at % this.#urls.length]}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(sent && { 'content-type': 'application/json', 'idempotency-key': key }),
      },
      ...(sent && { body: JSON.stringify(sent) }),
      signal: AbortSignal.timeout(HANGS_MS),
    });
  }
}

type Attempt =
  | { outcome: 'done'; data: Data }
  | { outcome: 'refused' }
  | { outcome: 'again'; pauseMs: number };

function judge({ target }: Call, { status, ok, headers }: Response, text: string, tally: Tally): Attempt {
  const answer = JSON.parse(text);
  if (ok) return { outcome: 'done', data: answer.data ?? answer.result.data.json };
  const code: string = answer.error.code ?? answer.error.json.data.code;
  const pause = Number(headers.get('retry-after'));
  if (PASSING.has(code) && pause > 0) {
    tally.note(`${status} ${code}`);
    return { outcome: 'again', pauseMs: pause * 1_000 };
  }
  tally.wrong.push(
    `${target} was answered ${status} ${code}${PASSING.has(code) ? ' without Retry-After' : ''}`,
  );
  return { outcome: 'refused' };
}

function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    if (at.name === 'TimeoutError') return at.name;
  }
  return String(error);
}
