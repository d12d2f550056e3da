import { join } from 'node:path';
import type * as Domain from '@firmdesk/domain';
import type { WorkspaceRef } from '../../../packages/domain/src/access/identity.ts';
import type * as EditTicket from '../../../packages/domain/src/tickets/edit-ticket.ts';
import type * as TeamMessages from '../../../packages/domain/src/tickets/team-messages.ts';
import {
  agentOf,
  bodyOf,
  FIRMS,
  MAX_CONNECTIONS,
  placeOf,
  slugOf,
  statusOf,
  type Write,
  type WriteOperation,
  type WritesTarget,
  workspaceIdOf,
} from './data.ts';

const LOG_AND_JOBS = /insert into (event_log|job_requests)/;

/** Opens the operations of a checkout, on a database that they migrate. Each write is one transaction, as in a call. */
export async function openOperations({
  kind,
  checkout,
  databaseUrl,
}: WritesTarget): Promise<Record<WriteOperation, Write>> {
  const load = <T>(path: string) => import(join(checkout, 'packages/domain/src', path)) as Promise<T>;
  const { createServices, migrate, notify, withSetupLock, withTransaction } =
    await load<typeof Domain>('index.ts');
  const { addNote, replyToTrader } = await load<typeof TeamMessages>('tickets/team-messages.ts');
  const { setStatus } = await load<typeof EditTicket>('tickets/edit-ticket.ts');
  // Checkouts of earlier versions know `poolMax`.
  const limits = { lanes: { main: MAX_CONNECTIONS }, poolMax: MAX_CONNECTIONS };
  const services = await createServices({ databaseUrl, ...limits });
  await withSetupLock(databaseUrl, () => migrate(services));

  if (kind === 'without log and jobs') leaveOutLogAndJobs(services);

  const inTicket = <T>(
    n: number,
    kind: WriteOperation,
    operation: (ctx: never, ticket: string) => Promise<T>,
  ) =>
    withTransaction(services, (ctx) => {
      const { firm, ticket } = placeOf(n, kind);
      const workspace: WorkspaceRef = { id: workspaceIdOf(firm), slug: slugOf(firm), name: `Firm ${firm}` };
      return operation({ ...ctx, identity: { user: agentOf(firm) }, workspace } as never, ticket);
    });
  return {
    replies: (n) =>
      inTicket(n, 'replies', (ctx, ticket) =>
        replyToTrader(ctx, { ticket, body: bodyOf(n), attachments: [], image_url: null, image_name: null }),
      ),
    notes: (n) =>
      inTicket(n, 'notes', (ctx, ticket) =>
        addNote(ctx, { ticket, attachments: [], body: bodyOf(n), mentions: [] }),
      ),
    'status changes': (n) =>
      inTicket(n, 'status changes', (ctx, ticket) => setStatus(ctx, { ticket, status: statusOf(n) })),
    'notifications to 500': (n) =>
      withTransaction(services, (ctx) =>
        notify(ctx, {
          workspace: slugOf(n % FIRMS),
          kind: 'ticket_awaiting_admin',
          title: 'A ticket awaits an answer',
          action_url: '/tickets',
        }),
      ),
  };
}

/** Drops the statements of the event log and of jobs before they are sent, and sends no signals. */
function leaveOutLogAndJobs({ pool, signals }: Domain.Services): void {
  signals.send = () => {};
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) =>
      LOG_AND_JOBS.test(String(args[0]))
        ? Promise.resolve({ rows: [] })
        : query(...args)) as typeof client.query;
  });
}
