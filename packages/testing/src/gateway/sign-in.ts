import type { Firm } from '../cases/actors.ts';
import { type CreateUserInput, createUser, createWorkspace, type TestUser } from '../data/accounts.ts';
import type { Answer, TestGateway } from './test-gateway.ts';

/** The password of all test users. */
export const PASSWORD = 'correct horse battery';

/** Creates a user with a password and no token, in a new firm. */
export async function createUserWithPassword(
  { services }: Pick<TestGateway, 'services'>,
  about: Omit<Partial<CreateUserInput>, 'firm'> = {},
): Promise<{ firm: Firm; user: TestUser }> {
  const firm = await createWorkspace(services);
  return { firm, user: await createUser(services, { firm, password: PASSWORD, ...about }) };
}

/** Returns a function that signs in users of `createUserWithPassword`. */
export function signInAt(gateway: Pick<TestGateway, 'request'>) {
  return (email: string, over: Record<string, unknown> = {}): Promise<Answer> =>
    gateway.request('POST /v1/sessions', { body: { email, password: PASSWORD, ...over } });
}
