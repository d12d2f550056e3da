import type { Scope } from '@firmdesk/contract';
import { type MintedUser, type MintUser, mintFirm, mintToken, mintUser } from '@firmdesk/domain/testing';
import type { Firm } from './cast.ts';
import type { TestGateway } from './test-gateway.ts';

export interface Someone {
  firm: Firm;
  user: MintedUser;
  token: string;
}

/** Someone new and their token for the firm: a new firm, and every scope, where nothing else is said. */
export async function someone(
  gateway: Pick<TestGateway, 'services'>,
  { firm, scopes, ...about }: Partial<MintUser> & { scopes?: readonly Scope[] } = {},
): Promise<Someone> {
  const home = firm ?? (await mintFirm(gateway.services));
  const user = await mintUser(gateway.services, { firm: home, ...about });
  return { firm: home, user, token: await tokenOf(gateway, user, home.slug, scopes) };
}

/** A new token of the user for a firm, by its slug, or for `platform`; with every scope where nothing else is said. */
export async function tokenOf(
  { services }: Pick<TestGateway, 'services'>,
  user: MintedUser,
  workspace: string,
  scopes?: readonly Scope[],
): Promise<string> {
  return (await mintToken(services, { user, workspace, ...(scopes && { scopes: [...scopes] }) })).text;
}
