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

/** A subscriber to a ticket's stream. */
export interface Viewer extends Follower<TicketStreamEvent> {
  /** Returns a message's text, assembled from the events. Throws if a delta is missing or duplicated. */
  textOf(messageId: string): string;
  types(): string[];
  /** Returns the messages that the events carried, oldest first, each in its last state. */
  messages(): TicketMessage[];
}

/** The callbacks of a subscription of the published client. */
interface SubscriptionCallbacks<Event> {
  onStarted(): void;
  onData(event: { id: string; data: Event }): void;
  onError(error: { message: string; data?: unknown }): void;
}

/** A subscriber that uses the published client. */
export interface Follower<Event> extends Disposable {
  events: { id: string; data: Event }[];
  /** The codes of errors that ended the subscription. */
  errors: string[];
  /** Closes the socket; the client reconnects. */
  drop(): void;
}

/** Subscribes over a new socket; resolves when the server has started the subscription. */
export async function follow<Event>(
  url: string,
  connectionParams: Record<string, string>,
  subscribe: (
    trpc: ReturnType<typeof createTRPCClient<AppRouter>>,
    callbacks: SubscriptionCallbacks<Event>,
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

/** Follows a ticket; resolves when the server has started the subscription. */
export async function followTicket({
  url,
  token,
  workspace,
  ticket,
  lastEventId,
}: ViewerOptions): Promise<Viewer> {
  const follower = await follow<TicketStreamEvent>(
    url,
    { token, ...(workspace && { workspace }) },
    (trpc, callbacks) =>
      trpc.tickets.stream.subscribe({ ticket, ...(lastEventId !== undefined && { lastEventId }) }, callbacks),
  );
  const { events } = follower;
  return {
    ...follower,
    types: () => events.map(({ data }) => data.type),
    messages() {
      const latest = new Map<string, TicketMessage>();
      for (const { data } of events) {
        if (data.type === 'message.created' || data.type === 'message.updated')
          latest.set(data.message.id, data.message);
      }
      return [...latest.values()].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
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
