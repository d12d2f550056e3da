import { hasVisibleText } from '@firmdesk/contract';
import type { Actor, OperationContext } from '../../platform/database/context.ts';
import { invalidField } from '../../platform/process/errors.ts';
import { getUser } from './users.ts';

/** The longest name of an operator. */
const MAX_NAME = 100;

/** Returns the actor that a name means: the account with this email address, otherwise an operator. */
export async function resolveActor(ctx: OperationContext, name: string): Promise<Actor> {
  if (name.includes('@')) return { kind: 'account', id: (await getUser(ctx, name)).id };
  if (!hasVisibleText(name) || name.length > MAX_NAME)
    throw invalidField(
      'actor',
      `must be a name of 1 to ${MAX_NAME} characters, or the address of an account`,
    );
  return { kind: 'operator', id: name };
}
