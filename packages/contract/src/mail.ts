import * as z from 'zod';
import { AnnouncedFile, Attachment } from './attachments.ts';
import { Email } from './email.ts';
import { attachmentTypes, deliveryFolders, filingFolders, folders } from './enumerations.ts';
import { fieldErrorCodes, Limit, pageOf, TimestampMicros } from './fields.ts';
import { IntegerId, idOf } from './ids.ts';
import {
  MAX_LEFT_OUT_NAMES,
  MAX_MAIL_ATTACHMENTS,
  MAX_MESSAGES_PER_CALL,
  MAX_RECIPIENTS,
  MAX_SUBJECT,
} from './limits.ts';
import { withoutBidiControls } from './visible-text.ts';

export const Folder = z.enum(folders);
export type Folder = z.infer<typeof Folder>;
export const FilingFolder = z.enum(filingFolders);
export const DeliveryFolder = z.enum(deliveryFolders);
export type DeliveryFolder = z.infer<typeof DeliveryFolder>;

/** An address with its display name. */
export const MailRecipient = z.object({
  email: z.string().meta({ description: 'The address, as the message has it' }),
  name: z
    .string()
    .nullable()
    .meta({
      description: 'The display name; null if the message has none',
      examples: ['Sam Okafor'],
    }),
});
export type MailRecipient = z.infer<typeof MailRecipient>;

/** Contract §2.1. */
export const MailMessage = z.object({
  id: idOf('mailMessage').meta({ description: 'For a draft, the value of `draft_id`' }),
  object: z.literal('mail_message'),
  thread_id: IntegerId.meta({ description: 'The conversation that the message belongs to' }),
  address_id: IntegerId.meta({ description: 'The mailbox that holds the message' }),
  folder: Folder.meta({ description: 'The folder that holds the message' }),
  subject: z.string().meta({ description: 'Empty if the message has none' }),
  to_recipients: z.array(MailRecipient).meta({ description: 'The recipients in `To`' }),
  cc_recipients: z.array(MailRecipient).meta({ description: 'The recipients in `Cc`' }),
  message_at: TimestampMicros.meta({
    description: 'When the draft was saved, or the message sent or received; ISO 8601, UTC, microseconds',
  }),
});
export type MailMessage = z.infer<typeof MailMessage>;

/** A message in a list. */
export const MailListRow = MailMessage.extend({
  from: MailRecipient,
  snippet: z.string().meta({ description: 'The beginning of the text, at most 200 characters' }),
  is_read: z.boolean().meta({ description: 'Whether the message was read' }),
  previous_folder: Folder.nullable().meta({
    description:
      'The folder to which a restore returns the message. Null: the inbox, or the archive for a message in the archive',
    examples: ['inbox'],
  }),
});
export type MailListRow = z.infer<typeof MailListRow>;

/** A file of a message. Mail contains files of all types: those that the service does not recognize are only downloaded. */
export const MailAttachment = Attachment.extend({
  id: idOf('mailAttachment'),
  type: z.enum([...attachmentTypes, 'application/octet-stream']),
  deleted: z
    .boolean()
    .meta({ description: 'Whether the content was deleted, because the account of the sender was' }),
  content_id: z
    .string()
    .nullable()
    .meta({ description: 'What follows `cid:` where the body shows it (RFC 2392)' }),
});
export type MailAttachment = z.infer<typeof MailAttachment>;

/** Files of a message that are not stored. */
export const LeftOutFiles = z.object({
  reason: z.enum(['too_large', 'too_many', 'empty']),
  count: z.int().positive(),
  names: z.array(z.string()).meta({ description: `The first ${MAX_LEFT_OUT_NAMES} names` }),
});
export type LeftOutFiles = z.infer<typeof LeftOutFiles>;

/** A complete message. `body` is HTML as received: sanitise it before display. */
export const OpenMailMessage = MailListRow.extend({
  bcc_recipients: z.array(MailRecipient),
  body: z.string(),
  attachments: z.array(MailAttachment),
  left_out: z.array(LeftOutFiles),
});
export type OpenMailMessage = z.infer<typeof OpenMailMessage>;

/** The newest messages from an address. */
export const ListMailFromInput = z.object({ address: Email, limit: z.int().min(1).max(20).default(5) });

const Recipients = z.array(Email).max(MAX_RECIPIENTS).default([]);

/** The uploaded files of a message, in the order in which they are shown. */
const MessageFiles = z
  .array(idOf('mailAttachment'))
  .max(MAX_MAIL_ATTACHMENTS, `must be at most ${MAX_MAIL_ATTACHMENTS} files`)
  .refine((ids) => new Set(ids).size === ids.length, 'must not contain a file twice')
  .default([])
  .meta({
    description: 'The ids of files that the caller has uploaded; at most 25 MB in all',
    examples: [['matt_01m7yhs0v8m2p7r4t6w9x1z3b5']],
  });

/** Contract §4.2. A save replaces the complete draft: omitted fields become empty. */
export const SaveDraftInput = z
  .object({
    address_id: z.int().meta({ description: 'The mailbox of the sender' }),
    to: Recipients.meta({ description: 'The addresses of `To`' }),
    cc: Recipients.meta({ description: 'The addresses of `Cc`', examples: [['sam@northwind.example']] }),
    bcc: Recipients.meta({ description: 'The addresses of `Bcc`', examples: [['kim@northwind.example']] }),
    // Saved while it is typed, so blanks stay.
    subject: z
      .string()
      .overwrite(withoutBidiControls)
      .max(MAX_SUBJECT)
      .refine((subject) => !/[\n\v\f\r\u0085\u2028\u2029]/.test(subject), 'must be a single line')
      .default('')
      .meta({ description: 'A single line' }),
    body: z.string().default('').meta({ description: 'The text of the message, in HTML' }),
    attachments: MessageFiles,
    draft_id: z
      .union([z.string(), z.int()], 'must be a string or an integer')
      .optional()
      .meta({
        description: 'The draft to replace; without it, a draft is created',
        examples: ['msg_01kar9x4z8c5m7p2t6v3000000'],
      }),
  })
  .refine(({ to, cc, bcc }) => to.length + cc.length + bcc.length <= MAX_RECIPIENTS, {
    path: ['to'],
    error: `must have at most ${MAX_RECIPIENTS} addresses together with "cc" and "bcc"`,
  });

/** Contract §4.3. */
export const RestoreMessageInput = z.object({
  id: idOf('mailMessage').meta({ description: 'The id of the message' }),
  conversation: z.boolean().default(false).meta({ description: 'Restore the complete conversation' }),
});

/** A mailbox that the caller may read. */
export const Mailbox = z.object({
  object: z.literal('mailbox'),
  id: IntegerId.meta({ description: 'The `address_id` of its messages' }),
  email: z.string().meta({ description: 'The address of the mailbox' }),
  name: z.string().meta({ description: 'The display name of the mailbox' }),
  can_write: z.boolean().meta({ description: 'Whether the caller may send from it' }),
  unread: z.int().meta({ description: 'Unread messages in its inbox' }),
});
export type Mailbox = z.infer<typeof Mailbox>;

/** Announces a file of mail that the caller writes. */
export const CreateMailAttachmentInput = AnnouncedFile.extend({
  address_id: z.int().meta({ description: 'The mailbox to write from' }),
});

export const MailAttachmentCreated = z.object({
  object: z.literal('mail_attachment_upload'),
  id: idOf('mailAttachment').meta({ description: 'The id to send in `attachments`' }),
  upload_url: z.string().meta({
    description: 'Where to `PUT` the bytes, with the same token',
    examples: ['https://firmdesk.example/attachments/northwind/matt_01m7yhs0v8m2p7r4t6w9x1z3b5'],
  }),
});

/** The messages of a folder or, with {@link ListMessagesInput.q}, of all. */
export const ListMessagesInput = z.object({
  address_id: z
    .int()
    .optional()
    .meta({
      description: 'Only messages of this mailbox; by default of every mailbox that the caller may read',
      examples: [1],
    }),
  folder: Folder.optional().meta({ description: 'Only messages of this folder; by default `inbox`' }),
  unread: z
    .boolean()
    .default(false)
    .meta({ description: 'Only messages that were not read', examples: [true] }),
  limit: Limit,
  starting_after: z
    .string()
    .max(500)
    .optional()
    .register(fieldErrorCodes, { code: 'invalid_cursor' })
    .meta({ description: '`next_cursor` of the previous page', examples: ['<next_cursor>'] }),
});

/** Messages, newest first. */
export const MailPage = pageOf(MailListRow);

const MessageIds = z
  .array(idOf('mailMessage'))
  .min(1)
  .max(MAX_MESSAGES_PER_CALL)
  .meta({ description: 'The ids of the messages. Those that the caller cannot read are ignored' });

export const MoveMessagesInput = z.object({
  ids: MessageIds,
  folder: FilingFolder.meta({
    description: 'The folder to move them to. A draft can only be moved to the trash',
  }),
});
export const MarkMessagesInput = z.object({
  ids: MessageIds,
  is_read: z.boolean().meta({ description: 'For every reader of the mailbox' }),
});
export const DeleteMessagesInput = z.object({ ids: MessageIds });

/** `changed`: the number of changed messages. Messages that the caller cannot read are ignored. */
export const MessagesChanged = z.object({
  object: z.literal('mail_messages_changed'),
  changed: z.int().meta({ description: 'The number of messages that changed' }),
});

export const DraftDeleted = z.object({ object: z.literal('mail_draft_deleted'), id: idOf('mailMessage') });

/** An incoming message for one mailbox. */
export const DeliverMailInput = z.object({
  mailbox: z.string().min(1).max(254).meta({ description: 'The mailbox’s address, ignoring case' }),
  folder: DeliveryFolder.default('inbox'),
  encoding: z.enum(['base64', 'text']).default('base64'),
  raw: z.string().min(1).meta({ description: 'The message, RFC 5322' }),
});

/** `already_delivered`: the mailbox already has a message with that `Message-ID`, which `id` names. */
export const MailDelivery = z.object({
  object: z.literal('mail_delivery'),
  status: z.enum(['delivered', 'already_delivered']),
  id: idOf('mailMessage'),
  thread_id: IntegerId,
  address_id: IntegerId,
  left_out: z.array(LeftOutFiles).meta({ description: 'Files of a delivered message that are not stored' }),
});
export type MailDelivery = z.infer<typeof MailDelivery>;
