import { type MintedUser, type MintUser, mintFirm, mintUser } from '@firmdesk/domain/testing';
import type { Firm } from './cast.ts';
import type { Answer, TestGateway } from './test-gateway.ts';

/** The password of everyone who signs in. */
export const PASSWORD = 'correct horse battery';

/** Someone new in a firm of their own, who has a password and no token yet. */
export async function openAccount(
  { services }: Pick<TestGateway, 'services'>,
  about: Omit<Partial<MintUser>, 'firm'> = {},
): Promise<{ firm: Firm; user: MintedUser }> {
  const firm = await mintFirm(services);
  return { firm, user: await mintUser(services, { firm, password: PASSWORD, ...about }) };
}

/** Signs people of `openAccount` in at this gateway. */
export function signInAt(gateway: Pick<TestGateway, 'request'>) {
  return (email: string, over: Record<string, unknown> = {}): Promise<Answer> =>
    gateway.request('POST /v1/sessions', { body: { email, password: PASSWORD, ...over } });
}
