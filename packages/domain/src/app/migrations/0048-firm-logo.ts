import { Migration } from '@mikro-orm/migrations';

/** The logo of a firm, a picture as a `data:` URL, and the hash by which the gateway serves it. */
export class FirmLogo extends Migration {
  override up(): void {
    this.addSql('alter table workspaces add column logo text, add column logo_hash text');
  }
}
