import { isSigned, signLink } from '../platform/process/sign-link.ts';
import type { Services } from '../platform/services.ts';

/** How long a link works after the mail in which it was sent: a mail can be found much later by somebody else. */
export const RATING_LINK_DAYS = 30;

/** Which ticket a link rates. */
export interface RatedTicket {
  workspaceId: number;
  ticketId: string;
}

/** The firm, the ticket and the signature. */
const FORMAT = /^(\d{1,9})\.(tkt_[a-z0-9]{26})\.([\w-]{22})$/;

const partsOf = ({ workspaceId, ticketId }: RatedTicket) => ['firmdesk rating', workspaceId, ticketId];

/** Returns the link by which the trader of a ticket rates it. */
export async function createRatingLink(services: Services, ticket: RatedTicket): Promise<string> {
  const signature = signLink(await services.secret.current(), partsOf(ticket));
  return `${services.publicUrl()}/rate/${ticket.workspaceId}.${ticket.ticketId}.${signature}`;
}

/** Returns the ticket of a link's last part; null if it is not signed by this installation. */
export async function openRatingLink(services: Services, text: string): Promise<RatedTicket | null> {
  const [, firm, ticketId, signature] = FORMAT.exec(text) ?? [];
  if (!firm || !ticketId || !signature) return null;
  const ticket = { workspaceId: Number(firm), ticketId };
  return services.secret.verify((secret) => (isSigned(secret, partsOf(ticket), signature) ? ticket : null));
}
