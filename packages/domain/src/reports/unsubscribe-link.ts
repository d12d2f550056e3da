import { DAY_MS } from '../platform/process/clock.ts';
import { isSigned, signLink } from '../platform/process/sign-link.ts';
import type { Services } from '../platform/services.ts';

/** How long a link works after its mail, as that of a rating, but longer: laws give who gets mail at least 30 days. */
export const UNSUBSCRIBE_LINK_DAYS = 90;

/** Whose weekly mail of which firm a link stops. */
export interface Subscription {
  workspaceId: number;
  userId: string;
}

/** The firm, the account, the day of the mail since 1970, and the signature. */
const FORMAT = /^(\d{1,9})\.(usr_[a-z0-9]{26})\.(\d{1,6})\.([\w-]{22})$/;

const partsOf = ({ workspaceId, userId }: Subscription, day: number) => [
  'firmdesk weekly report',
  workspaceId,
  userId,
  day,
];
const dayOf = (time: Date) => Math.floor(time.getTime() / DAY_MS);

/** Returns the link that stops the weekly mail of an account. */
export async function createUnsubscribeLink(services: Services, whose: Subscription): Promise<string> {
  const day = dayOf(services.clock.now());
  const signature = signLink(await services.secret.current(), partsOf(whose, day));
  return `${services.publicUrl()}/unsubscribe/${whose.workspaceId}.${whose.userId}.${day}.${signature}`;
}

/** Returns whose mail a link's last part stops; null if it is not signed by this installation, or has ended. */
export async function openUnsubscribeLink(services: Services, text: string): Promise<Subscription | null> {
  const [, firm, userId, of, signature] = FORMAT.exec(text) ?? [];
  if (!firm || !userId || !of || !signature) return null;
  const day = Number(of);
  if (dayOf(services.clock.now()) - day > UNSUBSCRIBE_LINK_DAYS) return null;
  const whose = { workspaceId: Number(firm), userId };
  return services.secret.verify((secret) =>
    isSigned(secret, partsOf(whose, day), signature) ? whose : null,
  );
}
