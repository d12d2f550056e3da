import type { Account, SetAccountProfileInput } from '@firmdesk/contract';
import type { z } from 'zod';
import { avatarHash, isAvatar } from '../access/accounts/avatar.ts';
import { User } from '../access/accounts/user.entity.ts';
import { invalidField } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/** Changes the name, the language and the picture of the caller's account, in all firms. */
export async function setProfile(
  { em, identity }: AccountContext,
  { name, language, avatar }: z.output<typeof SetAccountProfileInput>,
): Promise<Account['user']> {
  const { isStaff: _, ...user } = identity.user;
  const account = await em.findOneOrFail(User, user.id);
  if (name !== undefined) account.name = name;
  if (language !== undefined) account.language = language;
  if (avatar !== undefined) {
    if (avatar !== null && !isAvatar(avatar))
      throw invalidField('avatar', 'must be a PNG, JPEG, GIF, WebP or AVIF picture');
    account.avatarUrl = avatar;
    account.avatarHash = avatar && avatarHash(avatar);
  }
  return { ...user, name: account.name, language: account.language };
}
