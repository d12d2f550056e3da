import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** The parameters of the calls. */
export interface CallParameters {
  urls: string[];
  token: string;
  /** The mailbox in which drafts are saved. */
  mailbox: number;
  callsPerSecond: number;
}

/** The result of the calls. */
export interface CallResult {
  calls: number;
  seconds: number;
  /** Calls that had to be sent again, by reason. */
  sentAgain: Record<string, number>;
  wrong: string[];
  longestMs: number;
}

const CALLERS = 100;
/** One of this many calls saves a draft; the others read. */
const CALLS_PER_WRITE = 10;
const RETRY_MS = 100;

interface Response {
  status: number;
  /** Whether the connection is to be closed. */
  isLast: boolean;
  body: string;
}

/** One connection over which calls are sent one at a time. Writes HTTP itself: Node's client takes several times as long. */
class Connection {
  readonly #socket: Socket;
  #received = '';
  #isOpen = true;
  #waiting: { resolve: (response: Response) => void; reject: (error: Error) => void } | null = null;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    // Every response of these calls is ASCII.
    this.#socket.setEncoding('latin1').on('data', (chunk) => this.#receive(String(chunk)));
    this.#socket.on('error', (error) => this.#end(error));
    this.#socket.on('close', () => this.#end(new Error('closed before the answer')));
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  send(request: string): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#isOpen = false;
    this.#socket.destroy();
  }

  #receive(chunk: string): void {
    this.#received += chunk;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.slice(0, end).toLowerCase();
    const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
    if (length === undefined) {
      this.#end(new Error('an answer without Content-Length'));
      return;
    }
    const bodyEnd = end + 4 + Number(length);
    if (this.#received.length < bodyEnd) return;
    const body = this.#received.slice(end + 4, bodyEnd);
    this.#received = this.#received.slice(bodyEnd);
    const isLast = head.includes('\r\nconnection: close');
    const waiting = this.#waiting;
    this.#waiting = null;
    if (isLast) this.close();
    waiting?.resolve({ status: Number(head.slice(9, 12)), isLast, body });
  }

  #end(error: Error): void {
    this.#isOpen = false;
    this.#waiting?.reject(error);
    this.#waiting = null;
  }
}

/** A client that follows the rules: one key for all attempts, and another gateway after `Connection: close` or a lost connection. */
class Caller {
  #at: number;
  #connection: Connection | null = null;

  constructor(first: number) {
    this.#at = first;
  }

  /** Returns the body of the response; null if the call was rejected. */
  async call(method: string, path: string, sent?: object): Promise<{ data: { id: string } } | null> {
    const body = sent ? JSON.stringify(sent) : '';
    const more = sent
      ? `Content-Type: application/json\r\nIdempotency-Key: ${randomUUID()}\r\nContent-Length: ${body.length}\r\n`
      : '';
    const request = `${method} ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n${more}\r\n${body}`;
    for (;;) {
      const began = performance.now();
      try {
        if (!this.#connection?.isOpen) this.#connection = new Connection(urls[this.#at % urls.length]!);
        const response = await this.#connection.send(request);
        result.longestMs = Math.max(result.longestMs, performance.now() - began);
        if (response.isLast) this.#at++;
        if (response.status < 300) return JSON.parse(response.body);
        if (response.status !== 503 && response.status !== 429) {
          result.wrong.push(`${method} ${path} was answered ${response.status} ${response.body}`);
          return null;
        }
        noteSentAgain(`${response.status} ${JSON.parse(response.body).error.code}`);
      } catch (error) {
        noteSentAgain(error instanceof Error ? error.message : String(error));
        this.#at++;
      }
      await setTimeout(RETRY_MS);
    }
  }

  close(): void {
    this.#connection?.close();
  }
}

const [{ urls, token, mailbox, callsPerSecond }] = (await once(process, 'message')) as [CallParameters];
const result: CallResult = { calls: 0, seconds: 0, sentAgain: {}, wrong: [], longestMs: 0 };
const stopping = new AbortController();
const began = performance.now();
const calling = Array.from({ length: CALLERS }, (_, n) => keepCalling(new Caller(n), n));
process.send!('ready');

await once(process, 'message');
stopping.abort();
await Promise.all(calling);
result.seconds = (performance.now() - began) / 1_000;
process.send!(result, () => process.exit(0));

/** Calls at a constant rate, one call at a time. A slow answer lowers the rate; it is not raised afterwards. */
async function keepCalling(caller: Caller, index: number): Promise<void> {
  const pauseMs = (1_000 * CALLERS) / callsPerSecond;
  await setTimeout((pauseMs * index) / CALLERS);
  let due = performance.now();
  let draft: string | undefined;
  for (let n = 1; !stopping.signal.aborted; n++) {
    if (n % CALLS_PER_WRITE > 0) await caller.call('GET', '/v1/ping');
    else {
      const body = { address_id: mailbox, subject: randomUUID(), ...(draft && { draft_id: draft }) };
      draft = (await caller.call('POST', '/v1/me/mail/drafts', body))?.data.id;
    }
    result.calls++;
    due = Math.max(due + pauseMs, performance.now());
    await setTimeout(Math.max(0, due - performance.now()));
  }
  caller.close();
}

function noteSentAgain(reason: string): void {
  result.sentAgain[reason] = (result.sentAgain[reason] ?? 0) + 1;
}
