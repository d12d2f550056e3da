import {
  type AppRouter,
  type DeliveredStream,
  decodeInput,
  type Log,
  parseJson,
  type RequestContext,
  toApiError,
} from '@firmdesk/domain';
import {
  callTRPCProcedure,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  isTrackedEnvelope,
  TRPCError,
  transformTRPCResponse,
} from '@trpc/server';
import { parseTRPCMessage, type TRPCClientOutgoingMessage, type TRPCResponseMessage } from '@trpc/server/rpc';
import type { RawData, WebSocket } from 'ws';
import { MAX_BATCH } from '../calls/trpc.ts';
import { closeCodes } from './close-codes.ts';
import { type EventMessages, headOf } from './event-messages.ts';

/** A client with more unread bytes than this is disconnected. It can resume its streams. */
const MAX_UNREAD_BYTES = 1_048_576;
/** A socket with this many calls in progress is not read until one has ended, so that one client does not take the process from others. */
export const MAX_CALLS_IN_PROGRESS = 100;
/** A client that has sent this many messages that are no calls is disconnected: an answer to each takes far more time than to send it. */
export const MAX_MALFORMED = 100;

/** Leaves the input of a call encoded: it is decoded after the checks of the call, so that an error is that call's alone. */
const AS_RECEIVED: Parameters<typeof parseTRPCMessage>[1] = {
  input: { serialize: (input) => input, deserialize: (input) => input },
  output: { serialize: (output) => output, deserialize: (output) => output },
};

/** Why subscriptions are aborted. One object for all: an error for each would record its stack. */
const ENDED = new Error('The subscription has ended.');

/** `connectionParams` of the client; null if its URL announced none. */
export type ConnectionParams = Record<string, unknown> | null;

/** Authenticates a client. Returns null if it was rejected and its socket is closing. */
type Authenticate = (params: ConnectionParams) => Promise<RequestContext | null>;

interface Served {
  router: AppRouter;
  messages: EventMessages;
  log: Log;
  /** Called for each call and subscription that has begun, or that failed: with the code of its error, or `ok`. */
  onCall: (procedure: string, code: string) => void;
}

type Message = Exclude<TRPCClientOutgoingMessage, { method: 'subscription.stop' }>;
/** The events of a subscription. */
type Events = AsyncIterable<unknown> | DeliveredStream<unknown>;

type Reference = Pick<TRPCResponseMessage, 'id' | 'jsonrpc'>;

/**
 * One websocket that speaks tRPC's protocol (https://trpc.io/docs/server/websockets#websockets-rpc-specification). It replaces
 * tRPC's adapter, which serializes each event for each viewer, and keeps two timers per socket (docs/decisions/0028). The
 * procedures run as over HTTP: tRPC calls them, and their middleware calls `execute`.
 */
export class SocketConnection {
  readonly #ws: WebSocket;
  readonly #served: Served;
  /** Null once it was called, because it refers to the request with its headers. */
  #authenticate: Authenticate | null;
  readonly #subscriptions = new Map<string | number, AbortController>();
  #callsInProgress = 0;
  #malformed = 0;
  #context: Promise<RequestContext | null> | null = null;
  #lastReceived = performance.now();
  #isPinged = false;

  /**
   * @param expectsParams whether the first message contains the `connectionParams`
   */
  constructor(ws: WebSocket, served: Served, authenticate: Authenticate, expectsParams: boolean) {
    this.#ws = ws;
    this.#served = served;
    this.#authenticate = authenticate;
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary));
    ws.on('error', () => {});
    ws.once('close', () => {
      for (const subscription of this.#subscriptions.values()) subscription.abort(ENDED);
    });
    if (!expectsParams) this.#receiveParams(null);
  }

  /** Whether the client has sent what authenticates it. */
  get hasCredentials(): boolean {
    return this.#context !== null;
  }

  /** Pings a client that has been silent for too long, and disconnects it if it stays silent after that. */
  checkAlive(now: number, { silentMs, answerMs }: { silentMs: number; answerMs: number }): void {
    if (this.#isPinged && now - this.#lastReceived >= silentMs + answerMs) this.#ws.terminate();
    else this.pingAfter(now, silentMs);
  }

  /** Pings a client that has been silent for a time, unless it has a ping to answer. */
  pingAfter(now: number, silentMs: number): void {
    if (this.#isPinged || now - this.#lastReceived < silentMs) return;
    this.#isPinged = true;
    this.#write('PING');
  }

  /** Whether the client has not answered a ping yet. */
  get isPinged(): boolean {
    return this.#isPinged;
  }

  /** Tells the client to connect again, elsewhere. */
  askToReconnect(): void {
    this.#write(JSON.stringify({ id: null, method: 'reconnect' }));
  }

  #receiveParams(params: ConnectionParams): void {
    this.#context = this.#authenticate!(params);
    this.#authenticate = null;
  }

  #receive(data: RawData, isBinary: boolean): void {
    // Messages that arrive while the server closes the socket are ignored.
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    this.#lastReceived = performance.now();
    this.#isPinged = false;
    const text = isBinary ? null : String(data);
    if (text === 'PING') this.#write('PONG');
    else if (text !== 'PONG') {
      if (this.#context) this.#receiveMessages(text);
      else this.#receiveParams(paramsOf(text));
    }
  }

  #receiveMessages(text: string | null): void {
    for (const [index, message] of this.#parse(text).entries()) {
      this.#handle(message, index).catch((error: unknown) => {
        this.#served.log.error({ err: error }, 'a call over websocket could not be answered');
      });
    }
  }

  #parse(text: string | null): TRPCClientOutgoingMessage[] {
    let parsed: unknown;
    try {
      if (text === null) throw new TypeError('A binary message is not supported.');
      parsed = parseJson(Buffer.from(text));
    } catch (cause) {
      this.#rejectMessage({ id: null }, new TRPCError({ code: 'PARSE_ERROR', cause }));
      return [];
    }
    const messages = Array.isArray(parsed) ? parsed : [parsed];
    if (messages.length > MAX_BATCH) return this.#rejectBatch(messages);
    return messages.flatMap((message) => {
      try {
        return [parseTRPCMessage(message, AS_RECEIVED)];
      } catch (cause) {
        this.#rejectMessage({ id: callIdIn(message) }, new TRPCError({ code: 'PARSE_ERROR', cause }));
        return [];
      }
    });
  }

  /** Answers a message that is no call. */
  #rejectMessage(to: Reference | Message, error: TRPCError): void {
    if (this.#malformed === MAX_MALFORMED) return;
    this.#sendError(to, error);
    this.#malformed++;
    if (this.#malformed === MAX_MALFORMED)
      this.#ws.close(closeCodes.malformed, 'too many malformed messages');
  }

  /** Rejects each call of a batch that is too long, so that the client does not wait for any of them. */
  #rejectBatch(messages: readonly unknown[]): [] {
    const error = new TRPCError({ code: 'BAD_REQUEST', message: 'Batch call exceeds maximum size' });
    for (const message of messages) {
      const id = callIdIn(message);
      if (id !== null) this.#rejectMessage({ id }, error);
    }
    return [];
  }

  async #handle(message: TRPCClientOutgoingMessage, batchIndex: number): Promise<void> {
    const { id } = message;
    if (message.method === 'subscription.stop') {
      if (id !== null) this.#subscriptions.get(id)?.abort(ENDED);
    } else if (id === null) {
      this.#rejectMessage(message, new TRPCError({ code: 'PARSE_ERROR', message: '`id` is required' }));
    } else if (message.method !== 'subscription') {
      await this.#call(message, batchIndex);
    } else if (this.#subscriptions.has(id)) {
      this.#sendError(message, new TRPCError({ code: 'BAD_REQUEST', message: `Duplicate id ${id}` }));
    } else {
      await this.#subscribe(message, id, batchIndex);
    }
  }

  /** Counts a call, or a subscription that has not started. Returns the function that ends it. */
  #beginCall(): () => void {
    this.#callsInProgress++;
    if (this.#callsInProgress === MAX_CALLS_IN_PROGRESS) this.#ws.pause();
    let isInProgress = true;
    return () => {
      if (!isInProgress) return;
      isInProgress = false;
      if (this.#callsInProgress === MAX_CALLS_IN_PROGRESS) this.#ws.resume();
      this.#callsInProgress--;
    };
  }

  async #call(message: Message, batchIndex: number): Promise<void> {
    const endCall = this.#beginCall();
    let ctx: RequestContext | null | undefined;
    try {
      ctx = await this.#context;
      if (!ctx) return;
      // The call gets no signal: once begun, it is completed even if the client leaves.
      const data = await this.#callProcedure(ctx, message, batchIndex, undefined);
      this.#served.onCall(message.params.path, 'ok');
      this.#send({ ...referenceOf(message), result: { type: 'data', data } });
    } catch (error) {
      this.#sendError(message, error, ctx);
    } finally {
      endCall();
    }
  }

  async #subscribe(message: Message, id: string | number, batchIndex: number): Promise<void> {
    const endCall = this.#beginCall();
    const subscription = new AbortController();
    const { signal } = subscription;
    this.#subscriptions.set(id, subscription);
    let ctx: RequestContext | null | undefined;
    let error: unknown;
    try {
      ctx = await this.#context;
      if (!ctx || signal.aborted) return;
      const events = await this.#callProcedure(ctx, message, batchIndex, signal);
      endCall();
      await this.#stream(message, events as Events, signal);
    } catch (thrown) {
      error = thrown;
    } finally {
      endCall();
      if (!signal.aborted) subscription.abort(ENDED);
      // The id is free before the client is told, because the client may use it again at once.
      this.#subscriptions.delete(id);
      if (error === undefined) this.#send({ ...referenceOf(message), result: { type: 'stopped' } });
      else this.#sendError(message, error, ctx);
    }
  }

  async #stream(message: Message, events: Events, signal: AbortSignal): Promise<void> {
    this.#served.onCall(message.params.path, 'ok');
    if (!signal.aborted) this.#send({ ...referenceOf(message), result: { type: 'started' } });
    const head = headOf(message);
    const deliver = (event: unknown) => {
      if (signal.aborted) return;
      if (isTrackedEnvelope(event)) this.#write(this.#served.messages.messageOf(head, event));
      else this.#send({ ...referenceOf(message), result: { type: 'data', data: event } });
    };
    if ('deliverTo' in events) return await events.deliverTo(deliver);
    for await (const event of events) {
      if (signal.aborted) return;
      deliver(event);
    }
  }

  #callProcedure(
    ctx: RequestContext,
    { params: { path, input, lastEventId }, method }: Message,
    batchIndex: number,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const { router } = this.#served;
    const getRawInput = async () => resumedInput(decodeInput(input), lastEventId);
    return callTRPCProcedure({ router, path, getRawInput, ctx, type: method, signal, batchIndex });
  }

  #sendError(to: Reference | Message, thrown: unknown, ctx?: RequestContext | null): void {
    const { _config: config } = this.#served.router._def;
    const error = getTRPCErrorFromUnknown(thrown);
    const { path, input } = 'params' in to ? to.params : {};
    const type = 'method' in to ? to.method : 'unknown';
    if (path !== undefined) this.#served.onCall(path, toApiError(error).apiCode);
    const shape = getTRPCErrorShape({ config, error, type, path, input, ctx: ctx ?? undefined });
    this.#send({ ...referenceOf(to), error: shape });
  }

  #send(message: TRPCResponseMessage): void {
    const transformed = transformTRPCResponse(this.#served.router._def._config, message);
    this.#write(JSON.stringify(transformed));
  }

  #write(message: string | Buffer): void {
    const ws = this.#ws;
    if (ws.readyState !== ws.OPEN) return;
    if (ws.bufferedAmount > MAX_UNREAD_BYTES) ws.terminate();
    else ws.send(message, { binary: false });
  }
}

function referenceOf({ id, jsonrpc }: Reference): Reference {
  return { id, ...(jsonrpc && { jsonrpc }) };
}

/** Returns the id of a call; null for another message, or one without an id. */
function callIdIn(message: unknown): string | number | null {
  const { id, method } = (message ?? {}) as Partial<Record<string, unknown>>;
  const isCall = (typeof id === 'string' || typeof id === 'number') && method !== 'subscription.stop';
  return isCall ? id : null;
}

/** Returns an input with the id of the last event, which the client adds when it subscribes again after a disconnect. */
function resumedInput(input: unknown, lastEventId: string | undefined): unknown {
  const isObject = input === undefined || (typeof input === 'object' && !Array.isArray(input));
  return lastEventId !== undefined && isObject ? { ...input, lastEventId } : input;
}

/** Returns the `connectionParams` of a client's first message. A malformed message contains none. */
function paramsOf(text: string | null): ConnectionParams {
  try {
    const { data } = JSON.parse(text ?? '') as { data: ConnectionParams };
    return typeof data === 'object' ? data : null;
  } catch {
    return null;
  }
}
