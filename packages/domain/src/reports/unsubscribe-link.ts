import { isSigned, signLink } from '../platform/process/sign-link.ts';
import type { Services } from '../platform/services.ts';

/** Whose weekly mail of which firm a link stops. */
export interface Subscription {
  workspaceId: number;
  userId: string;
}

/** The firm, the account and the signature. */
const FORMAT = /^(\d{1,9})\.(usr_[a-z0-9]{26})\.([\w-]{22})$/;

const partsOf = ({ workspaceId, userId }: Subscription) => ['firmdesk weekly report', workspaceId, userId];

/** Returns the link that stops the weekly mail of an account. */
export async function createUnsubscribeLink(services: Services, whose: Subscription): Promise<string> {
  const signature = signLink(await services.secret.current(), partsOf(whose));
  return `${services.publicUrl()}/unsubscribe/${whose.workspaceId}.${whose.userId}.${signature}`;
}

/** Returns whose mail a link's last part stops; null if it is not signed by this installation. */
export async function openUnsubscribeLink(services: Services, text: string): Promise<Subscription | null> {
  const [, firm, userId, signature] = FORMAT.exec(text) ?? [];
  if (!firm || !userId || !signature) return null;
  const whose = { workspaceId: Number(firm), userId };
  return services.secret.verify((secret) => (isSigned(secret, partsOf(whose), signature) ? whose : null));
}
