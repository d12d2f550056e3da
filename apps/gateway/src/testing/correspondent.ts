import { type MintedMailbox, mintMailbox } from '@firmdesk/domain/testing';
import { type Someone, someone } from './someone.ts';
import type { TestGateway } from './test-gateway.ts';

/** A trader with a mailbox of their own, and a token for mail alone. */
export async function correspondent(
  gateway: Pick<TestGateway, 'services'>,
): Promise<Someone & { mailbox: MintedMailbox }> {
  const them = await someone(gateway, { role: 'trader', scopes: ['mail:write', 'mail:read'] });
  const mailbox = await mintMailbox(gateway.services, { firm: them.firm, writes: [them.user] });
  return { ...them, mailbox };
}
