import type { TicketMessage, TicketStreamEvent } from '@firmdesk/contract';
import type { AppRouter } from '@firmdesk/domain';
import { createTRPCClient, createWSClient, wsLink } from '@trpc/client';
import superjson from 'superjson';

export interface ViewerOptions {
  url: string;
  token: string;
  ticket: string;
  workspace?: string;
  lastEventId?: string;
}

/** One who follows a ticket. */
export interface Viewer extends Follower<TicketStreamEvent> {
  /** The text of a message, put together from what came; throws where a piece is missing or doubled. */
  textOf(messageId: string): string;
  types(): string[];
  /** The messages that it was told of, oldest first, each as it was told last. */
  messages(): TicketMessage[];
}

/** What a subscription of the client that is shipped is told, by its callbacks. */
interface Told<Event> {
  onStarted(): void;
  onData(event: { id: string; data: Event }): void;
  onError(error: { message: string; data?: unknown }): void;
}

/** One who follows something with that client. */
export interface Follower<Event> extends Disposable {
  events: { id: string; data: Event }[];
  /** The codes of errors that ended the subscription. */
  errors: string[];
  /** Cuts the socket; the client comes back by itself. */
  drop(): void;
}

/** Follows over a socket of its own; resolves when the server has begun to serve it. */
export async function follow<Event>(
  url: string,
  connectionParams: Record<string, string>,
  subscribe: (
    trpc: ReturnType<typeof createTRPCClient<AppRouter>>,
    told: Told<Event>,
  ) => { unsubscribe(): void },
): Promise<Follower<Event>> {
  const client = createWSClient({
    url: `${url.replace(/^http/, 'ws')}/trpc`,
    connectionParams,
    retryDelayMs: () => 20,
  });
  const trpc = createTRPCClient<AppRouter>({ links: [wsLink({ client, transformer: superjson })] });
  const events: Follower<Event>['events'] = [];
  const errors: string[] = [];
  const started = Promise.withResolvers<void>();
  const subscription = subscribe(trpc, {
    onStarted: () => started.resolve(),
    onData: (event) => events.push(event),
    onError(error) {
      errors.push((error.data as { code?: string } | undefined)?.code ?? error.message);
      started.resolve();
    },
  });
  await started.promise;
  return {
    events,
    errors,
    drop: () => client.connection?.ws?.close(),
    [Symbol.dispose]() {
      subscription.unsubscribe();
      void client.close();
    },
  };
}

/** Resolves when the server has begun to serve it. */
export async function view({ url, token, workspace, ticket, lastEventId }: ViewerOptions): Promise<Viewer> {
  const follower = await follow<TicketStreamEvent>(
    url,
    { token, ...(workspace && { workspace }) },
    (trpc, told) =>
      trpc.tickets.stream.subscribe({ ticket, ...(lastEventId !== undefined && { lastEventId }) }, told),
  );
  const { events } = follower;
  return {
    ...follower,
    types: () => events.map(({ data }) => data.type),
    messages() {
      const told = new Map<string, TicketMessage>();
      for (const { data } of events) {
        if (data.type === 'message.created' || data.type === 'message.updated')
          told.set(data.message.id, data.message);
      }
      return [...told.values()].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
    },
    textOf(messageId) {
      let text = '';
      for (const { data } of events) {
        if (data.type === 'snapshot' && data.message_id === messageId) text = data.text;
        if (data.type === 'text_reset' && data.message_id === messageId) text = '';
        if (data.type === 'text_delta' && data.message_id === messageId) {
          if (data.offset !== text.length)
            throw new Error(`offset ${data.offset} after ${text.length} units`);
          text += data.text;
        }
      }
      return text;
    },
  };
}
