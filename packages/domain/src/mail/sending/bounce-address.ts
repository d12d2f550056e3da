import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Services } from '../../platform/services.ts';

/** Names a recipient of a sent message, by the message's alias. */
export interface SentTo {
  workspaceId: number;
  alias: number;
  position: number;
}

const ADDRESS = /^bounce\+(\d{1,10})-(\d{1,15})-(\d{1,5})-([0-9a-f]{20})@([^@]+)$/;

type SecretServices = Pick<Services, 'secret'>;

/**
 * Returns the address to which mail for one recipient is returned (VERP): it names the message and the recipient, and nobody else can make one. Null if the
 * installation has no domain.
 */
export async function bounceAddress(
  services: SecretServices & Pick<Services, 'mail'>,
  sentTo: SentTo,
): Promise<string | null> {
  const [domain] = services.mail.domains;
  if (domain === undefined) return null;
  const { workspaceId, alias, position } = sentTo;
  const mac = signatureOf(await services.secret.current(), sentTo);
  return `bounce+${workspaceId}-${alias}-${position}-${mac}@${domain}`;
}

/** Returns whom the address of a returned message names; null for an address that is none of these. */
export async function readBounceAddress(
  services: SecretServices & Pick<Services, 'mail'>,
  address: string,
): Promise<SentTo | null> {
  const [, workspaceId, alias, position, mac, domain] = ADDRESS.exec(address.toLowerCase()) ?? [];
  if (mac === undefined || !services.mail.domains.includes(domain!)) return null;
  const sentTo = { workspaceId: Number(workspaceId), alias: Number(alias), position: Number(position) };
  return services.secret.verify((secret) =>
    timingSafeEqual(Buffer.from(signatureOf(secret, sentTo)), Buffer.from(mac)) ? sentTo : null,
  );
}

function signatureOf(
  secret: Parameters<typeof createHmac>[1],
  { workspaceId, alias, position }: SentTo,
): string {
  const text = `mail returned ${workspaceId} ${alias} ${position}`;
  return createHmac('sha256', secret).update(text).digest('hex').slice(0, 20);
}
