import type { MailAttachment, MailRecipient } from '@firmdesk/contract';
import { type AttachmentRow, openFile } from '../../attachments/index.ts';
import { openThreads } from '../../platform/process/threads.ts';
import type { Services } from '../../platform/services.ts';

/** A stored message that is sent. */
export interface StoredMessage {
  from_email: string;
  from_name: string | null;
  to_recipients: MailRecipient[];
  cc_recipients: MailRecipient[];
  subject: string;
  body: string;
  date: string;
  internet_message_id: string;
  in_reply_to: string | null;
  reference_ids: string[];
  /** Whether no person has written it, so that other machines do not answer. */
  is_automatic: boolean;
  /** With the name of the content in the store. */
  files: (Pick<MailAttachment, 'id' | 'name' | 'type' | 'size' | 'content_id'> &
    Pick<AttachmentRow, 'content' | 'scan'>)[];
}

interface Address {
  name: string;
  address: string;
}

/** What the thread writes. The names of the members are those of nodemailer. */
export interface MessageToWrite {
  from: Address;
  to: Address[];
  cc: Address[];
  replyTo?: Address;
  subject: string;
  html: string;
  /** By default, it is made of the HTML. */
  text?: string;
  /** Other forms of the text, the best last. */
  alternatives?: { contentType: string; content: string }[];
  headers?: Record<string, string>;
  date: string;
  messageId: string;
  inReplyTo?: string;
  references: string[];
  attachments: { filename: string; contentType?: string; cid?: string; content: Uint8Array }[];
}

/** Writes a message of a firm in a thread. Throws `unavailable`, `rate_limited`, and `TaskLimitError`. */
export const writeMessage = openThreads<MessageToWrite, Uint8Array<ArrayBuffer>>(
  new URL('./compose-worker.ts', import.meta.url),
  { threads: 1, heapMb: 512, deadlineMs: 30_000 },
);

/**
 * Writes a message as RFC 5322 has it, the same at each attempt except for the boundaries of its parts. `Bcc` is not a part of it. Throws
 * `resource_not_found` if the content of a file is missing, and as {@link writeMessage}.
 */
export async function compose(
  services: Services,
  workspaceId: number,
  message: StoredMessage,
): Promise<Buffer> {
  const attachments: MessageToWrite['attachments'] = [];
  for (const file of message.files) {
    const content = Buffer.concat(await (await openFile(services, workspaceId, file).read()).toArray());
    attachments.push({
      filename: file.name,
      content,
      // Otherwise nodemailer knows a type by the name.
      ...(file.type !== 'application/octet-stream' && { contentType: file.type }),
      ...(file.content_id !== null &&
        message.body.includes(`cid:${file.content_id}`) && { cid: file.content_id }),
    });
  }
  const raw = await writeMessage(String(workspaceId), {
    from: { name: message.from_name ?? '', address: message.from_email },
    to: message.to_recipients.map(toAddress),
    cc: message.cc_recipients.map(toAddress),
    subject: message.subject,
    html: message.body,
    date: message.date,
    messageId: `<${message.internet_message_id}>`,
    ...(message.in_reply_to !== null && { inReplyTo: `<${message.in_reply_to}>` }),
    references: message.reference_ids.map((id) => `<${id}>`),
    ...(message.is_automatic && { headers: { 'Auto-Submitted': 'auto-generated' } }),
    attachments,
  });
  return Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
}

function toAddress({ email, name }: MailRecipient): Address {
  return { name: name ?? '', address: email };
}
