import { Migration } from '@mikro-orm/migrations';

/**
 * Each upload of a file writes a content of its own, so that a late one cannot replace what a message contains. `content` names the stored
 * one; null means the content that a previous version wrote. `uploads` names those that may be in the store and are not part of the file.
 * Gateways of the previous version answer 404 for files that were uploaded through a later one.
 */
export class AttachmentContents extends Migration {
  override up(): void {
    this.addSql('alter table attachments add column content text collate "C"');
    this.addSql(`alter table attachments add column uploads text[] not null default '{}'`);
  }
}
