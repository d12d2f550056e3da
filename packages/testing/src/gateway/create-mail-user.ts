import { createMailbox, type TestMailbox } from '../data/mail.ts';
import type { TestGateway } from './test-gateway.ts';
import { createUserWithToken, type UserWithToken } from './user-with-token.ts';

/** Creates a trader with a mailbox, and a token with only the mail scopes. */
export async function createMailUser(
  gateway: Pick<TestGateway, 'services'>,
): Promise<UserWithToken & { mailbox: TestMailbox }> {
  const user = await createUserWithToken(gateway, { role: 'trader', scopes: ['mail:write', 'mail:read'] });
  const mailbox = await createMailbox(gateway.services, { firm: user.firm, writes: [user.user] });
  return { ...user, mailbox };
}
