import type { Permission, Scope } from '@firmdesk/contract';
import { createToken, createUser, createWorkspace } from '../data/accounts.ts';
import { type CreateTicketInput, createTicket } from '../data/tickets.ts';
import type { Answer, TestGateway } from './test-gateway.ts';

export interface Message {
  id: string;
  from_kind: string;
  body: string;
  internal: boolean;
  streaming: boolean;
  event: string | null;
}

/** A new firm with an agent, who has all permissions for tickets by default, and a trader. */
export interface TicketFixture {
  firm: Awaited<ReturnType<typeof createWorkspace>>;
  agent: Awaited<ReturnType<typeof createUser>>;
  trader: Awaited<ReturnType<typeof createUser>>;
  token: string;
  tokenId: string;
  tokenWith(scopes: Scope[]): Promise<string>;
  /** Creates a ticket of the trader; by default it awaits the team. */
  createTicket(over?: Partial<CreateTicketInput>): Promise<string>;
  /** Calls the endpoint of the assistant's command. */
  askAssistant(
    ticket: string,
    instruction?: string,
    options?: { token?: string; key?: string },
  ): Promise<Answer>;
  statusOf(ticket: string): Promise<string>;
  /** Returns the messages, oldest first. */
  messagesOf(ticket: string): Promise<Message[]>;
}

export async function createTicketFixture(
  gateway: TestGateway,
  permissions: Permission[] = ['view_tickets', 'manage_tickets'],
): Promise<TicketFixture> {
  const { services } = gateway;
  const firm = await createWorkspace(services);
  const agent = await createUser(services, { firm, permissions });
  const trader = await createUser(services, { firm, role: 'trader' });
  const create = (scopes: Scope[]) => createToken(services, { user: agent, workspace: firm.slug, scopes });
  const { id: tokenId, text: token } = await create(['admin:read', 'admin:write']);
  return {
    firm,
    agent,
    trader,
    token,
    tokenId,
    tokenWith: async (scopes) => (await create(scopes)).text,
    createTicket: (over = {}) => createTicket(services, { firm, trader, status: 'awaiting_admin', ...over }),
    async askAssistant(ticket, instruction = 'Say hello.', options = {}) {
      const answer = await gateway.request(`POST /v1/admin/tickets/${ticket}/ai`, {
        token: options.token ?? token,
        ...(options.key !== undefined && { key: options.key }),
        body: { instruction },
      });
      // Later messages get a later date.
      gateway.clock.advance(1);
      return answer;
    },
    async statusOf(ticket) {
      const { rows } = await services.pool.query('select status from tickets where id = $1', [ticket]);
      return rows[0].status;
    },
    async messagesOf(ticket) {
      const { rows } = await services.pool.query(
        `select id, from_kind, body, internal, streaming, event from ticket_messages
         where ticket_id = $1 order by created_at, id`,
        [ticket],
      );
      return rows;
    },
  };
}
