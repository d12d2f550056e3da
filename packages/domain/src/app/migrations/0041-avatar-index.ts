import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** The picture of a hash. Accounts can have the same picture. */
export class AvatarIndex extends ConcurrentIndexes {
  protected override readonly create = {
    users_avatar_hash: 'users (avatar_hash) where avatar_hash is not null',
  };
}
