import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** Finds the files of messages of mail, and checks the reference to them. */
export class MailAttachmentIndex extends ConcurrentIndexes {
  protected override readonly create = {
    attachments_by_mail: 'attachments (workspace_id, mail_message_id) where mail_message_id is not null',
  };
}
