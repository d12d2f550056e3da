import type { Scope } from '@firmdesk/contract';
import type { Firm } from '../cases/actors.ts';
import {
  type CreateUserInput,
  createToken,
  createUser,
  createWorkspace,
  type TestUser,
} from '../data/accounts.ts';
import type { TestGateway } from './test-gateway.ts';

export interface UserWithToken {
  firm: Firm;
  user: TestUser;
  token: string;
}

/** Creates a user and a token for it; by default in a new firm and with every scope. */
export async function createUserWithToken(
  gateway: Pick<TestGateway, 'services'>,
  { firm, scopes, ...about }: Partial<CreateUserInput> & { scopes?: readonly Scope[] } = {},
): Promise<UserWithToken> {
  const home = firm ?? (await createWorkspace(gateway.services));
  const user = await createUser(gateway.services, { firm: home, ...about });
  return { firm: home, user, token: await tokenOf(gateway, user, home.slug, scopes) };
}

/** Creates a token of the user for a firm, by its slug, or for `platform`; by default with every scope. */
export async function tokenOf(
  { services }: Pick<TestGateway, 'services'>,
  user: TestUser,
  workspace: string,
  scopes?: readonly Scope[],
): Promise<string> {
  return (await createToken(services, { user, workspace, ...(scopes && { scopes: [...scopes] }) })).text;
}
