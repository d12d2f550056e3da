import type { OpenMailMessage } from '@firmdesk/contract';
import { ApiError } from '../../platform/process/errors.ts';
import type { ReaderContext } from '../mailboxes/mailbox-access.ts';
import { findDelivery } from '../sending/find-delivery.ts';
import { selectMessages, toListRow } from './mail-message-row.ts';

/** Returns a message with its body, without marking it read. Throws `resource_not_found`. */
export async function getMessage(ctx: ReaderContext, input: { id: string }): Promise<OpenMailMessage> {
  const row = await selectMessages(ctx)
    .select([
      'm.bcc_recipients',
      'm.reply_to',
      'm.body',
      'm.attachments',
      'm.left_out',
      'm.answers_id',
      'm.sender_check',
    ])
    .where('m.id', '=', input.id)
    .executeTakeFirst();
  if (!row) throw new ApiError('resource_not_found');
  const { bcc_recipients, reply_to, body, attachments, left_out, answers_id, sender_check } = row;
  const delivery = await findDelivery(ctx, row.id);
  return {
    ...toListRow(row),
    bcc_recipients,
    reply_to,
    body,
    attachments,
    left_out,
    in_reply_to: answers_id,
    delivery,
    sender_check,
  };
}
