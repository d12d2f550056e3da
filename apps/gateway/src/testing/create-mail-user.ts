import { createMailbox, type TestMailbox } from '@firmdesk/domain/testing';
import type { TestGateway } from './test-gateway.ts';
import { createUserWithToken, type UserWithToken } from './user-with-token.ts';

/** A trader with a mailbox of their own, and a token for mail alone. */
export async function createMailUser(
  gateway: Pick<TestGateway, 'services'>,
): Promise<UserWithToken & { mailbox: TestMailbox }> {
  const them = await createUserWithToken(gateway, { role: 'trader', scopes: ['mail:write', 'mail:read'] });
  const mailbox = await createMailbox(gateway.services, { firm: them.firm, writes: [them.user] });
  return { ...them, mailbox };
}
