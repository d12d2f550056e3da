import { randomBytes } from 'node:crypto';
import { createMailbox, createTicket, createToken, createUser, createWorkspace } from '@firmdesk/testing';
import { request } from '@firmdesk/testing/gateway';
import { RULE_NOTE } from './automation.ts';
import { Client, Tally } from './client.ts';
import type { Stage } from './stage.ts';

const TICKETS = 4;

/** The tokens of the load's users, and the objects on which they work. */
export interface LoadFixtures {
  firm: string;
  /** An API key with all scopes. */
  agent: string;
  /** The user whose notifications are marked as read. */
  marker: { email: string; token: string };
  /** The user whose phone is registered repeatedly. */
  owner: string;
  trader: string;
  mailbox: { id: number; email: string };
  /** The device tokens that get a push for each mail to the mailbox. */
  phones: string[];
  /** Tickets to which the trader and the agent write. */
  tickets: string[];
  /** The one of them in which a rule answers each message of the trader. */
  ruledTicket: string;
  /** Tickets on which the agent gives commands to the assistant. */
  commandTickets: string[];
}

export async function createLoadFixtures(
  { services, gateways, receiver }: Stage,
  given?: Awaited<ReturnType<typeof createWorkspace>>,
): Promise<LoadFixtures> {
  const firm = given ?? (await createWorkspace(services));
  const agent = await createUser(services, { firm, permissions: ['view_tickets', 'manage_tickets'] });
  const marker = await createUser(services, { firm, permissions: ['view_payouts'] });
  const reader = await createUser(services, { firm });
  const trader = await createUser(services, { firm, role: 'trader' });
  const mailbox = await createMailbox(services, { firm, writes: [agent], reads: [reader] });
  const tokenOf = async (user: typeof agent) =>
    (await createToken(services, { user, workspace: firm.slug })).text;
  const tickets = (aiEnabled: boolean) =>
    Promise.all(
      Array.from({ length: TICKETS }, () =>
        createTicket(services, { firm, trader, status: 'awaiting_admin', aiEnabled }),
      ),
    );
  const phones: string[] = [];
  const token = await tokenOf(reader);
  for (const app of ['mail', 'admin']) {
    const phone = randomBytes(32).toString('hex');
    const body = { app, environment: 'production', token: phone };
    const answer = await request(gateways[0]!.url, 'POST /v1/me/devices', { token, body });
    if (answer.status !== 201) throw new Error(answer.text);
    phones.push(phone);
  }
  const written = await tickets(false);
  const ruledTicket = written[0]!;
  const lead = await tokenOf(
    await createUser(services, { firm, permissions: ['view_tickets', 'manage_tickets', 'manage_settings'] }),
  );
  const client = new Client([gateways[0]!.url], 0, () => new Tally());
  const set = async (target: string, body: object) => {
    if ((await client.call({ target, token: lead, body })) === null) throw new Error(`${target} failed`);
  };
  await set('tickets.setPriority', { ticket: ruledTicket, priority: 'urgent' });
  for (const on of ['ticket_arrived', 'trader_wrote'])
    await set('tickets.rules.create', {
      name: on,
      trigger: { on },
      conditions: { filter: { priority: 'urgent' } },
      actions: [{ set: 'note', body: RULE_NOTE }],
    });
  await set('firm.webhooks.create', { url: receiver.url, events: ['message.created'] });
  return {
    firm: firm.slug,
    agent: await tokenOf(agent),
    marker: { email: marker.email, token: await tokenOf(marker) },
    owner: await tokenOf(reader),
    trader: trader.email,
    mailbox,
    phones,
    tickets: written,
    ruledTicket,
    commandTickets: await tickets(false),
  };
}
