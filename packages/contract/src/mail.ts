import * as z from 'zod';
import { Attachment } from './attachments.ts';
import { Email } from './email.ts';
import { attachmentTypes, deliveryFolders, filingFolders, folders } from './enumerations.ts';
import { Limit, pageOf, TimestampMicros } from './fields.ts';
import { IntegerId, idOf } from './ids.ts';
import { MAX_LEFT_OUT_NAMES, MAX_MESSAGES_PER_CALL, MAX_RECIPIENTS, MAX_SUBJECT } from './limits.ts';
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
  id: IntegerId,
  email: z.string(),
  name: z.string(),
  can_write: z.boolean().meta({ description: 'Whether the caller may send from it' }),
  unread: z.int().meta({ description: 'Unread messages in its inbox' }),
});
export type Mailbox = z.infer<typeof Mailbox>;

export const ListMessagesInput = z.object({
  address_id: z.int(),
  folder: Folder.default('inbox'),
  limit: Limit,
  starting_after: z.string().max(500).optional(),
});

/** Messages of a folder, newest first. */
export const MailPage = pageOf(MailListRow);

const MessageIds = z.array(idOf('mailMessage')).min(1).max(MAX_MESSAGES_PER_CALL);

export const MoveMessagesInput = z.object({ ids: MessageIds, folder: FilingFolder });
export const MarkMessagesInput = z.object({ ids: MessageIds, is_read: z.boolean() });

/** `changed`: the number of changed messages. Messages that the caller cannot read are ignored. */
export const MessagesChanged = z.object({ object: z.literal('mail_messages_changed'), changed: z.int() });

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
