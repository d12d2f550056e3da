import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the hashes by which the gateway serves avatars. Processes of the previous version continue to show pictures as `data:` URLs.
 * A picture that one of them imports after 0040 has no hash, and remains a `data:` URL.
 */
export class AvatarHashes extends Migration {
  override up(): void {
    this.addSql('alter table users add column if not exists avatar_hash text');
  }
}
