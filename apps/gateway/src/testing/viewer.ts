import type { TicketStreamEvent } from '@firmdesk/contract';
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

/** One who follows a ticket with the client that is shipped, reconnecting by itself. */
export interface Viewer extends Disposable {
  events: { id: string; data: TicketStreamEvent }[];
  /** The codes of errors that ended the subscription. */
  errors: string[];
  /** The text of a message, put together from what came; throws where a piece is missing or doubled. */
  textOf(messageId: string): string;
  types(): string[];
}

/** Resolves when the server has begun to serve it. */
export async function view({ url, token, workspace, ticket, lastEventId }: ViewerOptions): Promise<Viewer> {
  const client = createWSClient({
    url: `${url.replace(/^http/, 'ws')}/trpc`,
    connectionParams: { token, ...(workspace && { workspace }) },
    retryDelayMs: () => 20,
  });
  const trpc = createTRPCClient<AppRouter>({ links: [wsLink({ client, transformer: superjson })] });
  const events: Viewer['events'] = [];
  const errors: string[] = [];
  const started = Promise.withResolvers<void>();
  const subscription = trpc.tickets.stream.subscribe(
    { ticket, ...(lastEventId !== undefined && { lastEventId }) },
    {
      onStarted: () => started.resolve(),
      onData: (event) => events.push(event),
      onError(error) {
        errors.push((error.data as { code?: string } | undefined)?.code ?? error.message);
        started.resolve();
      },
    },
  );
  await started.promise;
  return {
    events,
    errors,
    types: () => events.map(({ data }) => data.type),
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
    [Symbol.dispose]() {
      subscription.unsubscribe();
      void client.close();
    },
  };
}
