import { createServices, migrate, notify, withSetupLock, withTransaction } from '@firmdesk/domain';
import type { AccountContext } from '../../../packages/domain/src/procedures/call-context.ts';
import { addNote } from '../../../packages/domain/src/tickets/messages/team-messages.ts';
import {
  agentOf,
  bodyOf,
  FIRMS,
  MAX_CONNECTIONS,
  placeOf,
  slugOf,
  type Write,
  workspaceIdOf,
} from './data.ts';

/** Opens the operations on a database that they migrate. Each write is one transaction, as in a call. */
export async function openOperations(databaseUrl: string): Promise<{ note: Write; notify: Write }> {
  // One more connection writes notifications.
  const services = await createServices({ databaseUrl, poolSizes: { main: MAX_CONNECTIONS + 1 } });
  await withSetupLock(databaseUrl, () => migrate(services));
  return {
    note: (n) =>
      withTransaction(services, (ctx) => {
        const { firm, ticket } = placeOf(n);
        const workspace = { id: workspaceIdOf(firm), slug: slugOf(firm), name: `Firm ${firm}` };
        const account = { ...ctx, identity: { user: agentOf(firm) }, workspace } as AccountContext;
        return addNote(account, { ticket, attachments: [], body: bodyOf(n), mentions: [] });
      }),
    notify: (n) =>
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
