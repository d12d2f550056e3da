import type { TicketStreamEvent } from '@firmdesk/contract';
import type { AppRouter } from '@firmdesk/domain';
import { createTRPCClient, createWSClient, type TRPCWebSocketClient, wsLink } from '@trpc/client';
import superjson from 'superjson';
import { WebSocket } from 'ws';

const RETRY_MS = 200;

interface ViewerOptions {
  urls: readonly string[];
  token: string;
  ticket: string;
  /** The client address: a gateway limits the sockets per address. */
  localAddress?: string;
  first?: number;
}

/** A client that follows a ticket, assembles the streamed replies, and resumes on any gateway after a disconnect. */
export class Viewer implements Disposable {
  /** The assembled text of finished replies by message id. */
  readonly seen = new Map<string, string>();
  /** Events that did not fit the assembled text. */
  readonly errors: string[] = [];
  readonly #texts = new Map<string, string>();
  readonly #ticket: string;
  readonly #ws: TRPCWebSocketClient;
  readonly #trpc: ReturnType<typeof createTRPCClient<AppRouter>>;
  /** Whether it is subscribed. */
  isFollowing = false;
  #lastEventId: string | undefined;
  #isDisposed = false;

  /** @param first the index of the first gateway */
  constructor({ urls, token, ticket, localAddress, first = 0 }: ViewerOptions) {
    let at = first;
    this.#ticket = ticket;
    this.#ws = createWSClient({
      url: () => `${urls[at++ % urls.length]!.replace(/^http/, 'ws')}/trpc`,
      connectionParams: { token },
      ...(localAddress && { WebSocket: socketFrom(localAddress) }),
      retryDelayMs: () => RETRY_MS,
    });
    this.#trpc = createTRPCClient<AppRouter>({
      links: [wsLink({ client: this.#ws, transformer: superjson })],
    });
    this.#subscribe();
  }

  /** Whether it has received an event from which it can resume. */
  get hasBegun(): boolean {
    return this.#lastEventId !== undefined;
  }

  #subscribe(): void {
    if (this.#isDisposed) return;
    const retry = () => void setTimeout(() => this.#subscribe(), RETRY_MS);
    const lastEventId = this.#lastEventId;
    this.#trpc.tickets.stream.subscribe(
      { ticket: this.#ticket, ...(lastEventId !== undefined && { lastEventId }) },
      {
        onStarted: () => {
          this.isFollowing = true;
        },
        onData: ({ id, data }) => {
          this.#lastEventId = id;
          this.#take(data);
        },
        // The server could not serve the subscription; the connection stays open.
        onError: retry,
        onComplete: retry,
      },
    );
  }

  #take(event: TicketStreamEvent): void {
    if (event.type === 'resync') this.errors.push(`a resync on ${this.#ticket}`);
    if (event.type === 'snapshot') this.#texts.set(event.message_id, event.text);
    if (event.type === 'text_reset') this.#texts.set(event.message_id, '');
    if (event.type === 'text_delta') {
      const text = this.#texts.get(event.message_id) ?? '';
      if (event.offset !== text.length) {
        this.errors.push(`a delta at ${event.offset} after ${text.length} units of ${event.message_id}`);
      }
      this.#texts.set(event.message_id, text + event.text);
    }
    if (event.type === 'message.updated' && event.message.from === 'ai' && !event.message.streaming) {
      this.seen.set(event.message.id, this.#texts.get(event.message.id) ?? '');
    }
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    void this.#ws.close();
  }
}

function socketFrom(localAddress: string): typeof globalThis.WebSocket {
  class FromAddress extends WebSocket {
    constructor(url: string) {
      super(url, { localAddress });
    }
  }
  return FromAddress as unknown as typeof globalThis.WebSocket;
}
