import type { Permission, Scope } from '@firmdesk/contract';
import { type MintTicket, mintFirm, mintTicket, mintToken, mintUser } from '@firmdesk/domain/testing';
import type { Answer, TestGateway } from './test-gateway.ts';

export interface Message {
  id: string;
  from_kind: string;
  body: string;
  internal: boolean;
  streaming: boolean;
  event: string | null;
}

/** A firm of its own, with an agent who may do everything to tickets, and a trader. */
export interface TicketFixture {
  firm: Awaited<ReturnType<typeof mintFirm>>;
  agent: Awaited<ReturnType<typeof mintUser>>;
  trader: Awaited<ReturnType<typeof mintUser>>;
  token: string;
  tokenId: string;
  tokenWith(scopes: Scope[]): Promise<string>;
  ticket(over?: Partial<MintTicket>): Promise<string>;
  ask(ticket: string, instruction?: string, options?: { token?: string; key?: string }): Promise<Answer>;
  statusOf(ticket: string): Promise<string>;
  /** The conversation, oldest first. */
  messagesOf(ticket: string): Promise<Message[]>;
}

export async function createTicketFixture(
  gateway: TestGateway,
  permissions: Permission[] = ['view_tickets', 'manage_tickets'],
): Promise<TicketFixture> {
  const { services } = gateway;
  const firm = await mintFirm(services);
  const agent = await mintUser(services, { firm, permissions });
  const trader = await mintUser(services, { firm, role: 'trader' });
  const mint = (scopes: Scope[]) => mintToken(services, { user: agent, workspace: firm.slug, scopes });
  const { id: tokenId, text: token } = await mint(['admin:read', 'admin:write']);
  return {
    firm,
    agent,
    trader,
    token,
    tokenId,
    tokenWith: async (scopes) => (await mint(scopes)).text,
    ticket: (over = {}) => mintTicket(services, { firm, trader, status: 'awaiting_admin', ...over }),
    async ask(ticket, instruction = 'Say hello.', options = {}) {
      const answer = await gateway.request(`POST /v1/admin/tickets/${ticket}/ai`, {
        token: options.token ?? token,
        ...(options.key !== undefined && { key: options.key }),
        body: { instruction },
      });
      // What follows comes after it.
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
