import * as z from 'zod';
import { AnnouncedFile, Attachment } from '../attachments/attachments.ts';
import { oneLine, withoutBidiControls } from '../texts/visible-text.ts';
import { filingFolders, folders } from '../values/enumerations.ts';
import { fieldErrorCodes, Limit, pageOf, Timestamp, TimestampMicros } from '../values/fields.ts';
import { IntegerId, idOf } from '../values/ids.ts';
import {
  MAX_LEFT_OUT_NAMES,
  MAX_MAIL_ATTACHMENTS,
  MAX_MAIL_QUERY_LENGTH,
  MAX_MESSAGES_PER_CALL,
  MAX_RECIPIENTS,
  MAX_SEND_AHEAD_DAYS,
  MAX_SUBJECT,
  SEND_DELAY_SECONDS,
} from '../values/limits.ts';
import { deliveryFolders, deliveryStates, senderCheckStatuses } from '../values/schema-enumerations.ts';
import { Email } from './email.ts';
import { parseMailSearch } from './mail-search.ts';

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

/** A file of a message. */
export const MailAttachment = Attachment.extend({
  id: idOf('mailAttachment').meta({
    description: 'The id of the file',
    examples: ['matt_01m7yhs0v8m2p7r4t6w9x1z3b5'],
  }),
  deleted: z.boolean().meta({
    description: 'Whether the content was deleted, because the account of the sender was',
    examples: [false],
  }),
  content_id: z
    .string()
    .nullable()
    .meta({ description: 'What follows `cid:` where the body shows it (RFC 2392)', examples: [null] }),
});
export type MailAttachment = z.infer<typeof MailAttachment>;

/** Files of a message that are not stored. */
export const LeftOutFiles = z.object({
  reason: z
    .enum(['too_large', 'too_many', 'empty'])
    .meta({ description: 'Why they are not stored', examples: ['too_large'] }),
  count: z
    .int()
    .positive()
    .meta({ description: 'How many they are', examples: [1] }),
  names: z
    .array(z.string())
    .meta({ description: `The first ${MAX_LEFT_OUT_NAMES} names`, examples: [['backup.zip']] }),
});
export type LeftOutFiles = z.infer<typeof LeftOutFiles>;

/** How far a sent message has come for a recipient, or as a whole. */
const DeliveryState = z.enum(deliveryStates);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** What became of a sent message. */
export const SentDelivery = z.object({
  state: DeliveryState.meta({
    description:
      '`queued` while a recipient is; `sent` when it was for all, also those of this installation; otherwise `failed` or `not_sent`',
    examples: ['sent'],
  }),
  send_at: Timestamp.nullable().meta({
    description: 'Until then it can be taken back; null once it is being sent',
  }),
  recipients: z
    .array(
      z.object({
        email: z.string().meta({ description: 'The address' }),
        state: DeliveryState.meta({
          description:
            '`sent`: the mail server has accepted it. `delivered_locally`: it is in a mailbox of this installation. `failed`: it was refused, ' +
            'returned, or not accepted within two days. `not_sent`: the installation sends no mail to the outside',
        }),
        detail: z
          .string()
          .nullable()
          .meta({
            description: 'The words of the mail server, or the reason',
            examples: ['250 2.0.0 Ok: queued as 4cXyz1'],
          }),
      }),
    )
    .meta({ description: 'Each recipient once' }),
});
export type SentDelivery = z.infer<typeof SentDelivery>;

/** A message that was sent, as a list shows it. */
export const SentMessage = MailListRow.extend({ delivery: SentDelivery });
export type SentMessage = z.infer<typeof SentMessage>;

/** What was found out about the sender of a received message (SPF, DKIM and DMARC). */
export const SenderCheck = z.object({
  status: z.enum(senderCheckStatuses).meta({
    description:
      'verified: the domain of the address vouches for the message; unverified: it could not be verified; failed: the domain disowns it',
    examples: ['verified'],
  }),
  via: z
    .string()
    .nullable()
    .meta({ description: 'Another domain that vouches for it', examples: ['lists.example.com'] }),
});
export type SenderCheck = z.infer<typeof SenderCheck>;

/** A complete message. `body` is HTML as received: sanitise it before display. */
export const OpenMailMessage = MailListRow.extend({
  bcc_recipients: z.array(MailRecipient).meta({ description: 'The recipients in `Bcc`' }),
  reply_to: z.array(MailRecipient).meta({
    description: 'To whom the sender wants answers (`Reply-To`); empty if to `from`',
    examples: [[]],
  }),
  body: z
    .string()
    .meta({ description: 'HTML, of a received message as it came: sanitise it before display' }),
  attachments: z.array(MailAttachment).meta({ description: 'Its files' }),
  left_out: z.array(LeftOutFiles).meta({ description: 'Its files that are not stored' }),
  in_reply_to: idOf('mailMessage')
    .nullable()
    .meta({
      description: 'Of a draft or a message that was sent here: the message that it answers',
      examples: [null],
    }),
  delivery: SentDelivery.nullable().meta({ description: 'Of a message that was sent here; otherwise null' }),
  sender_check: SenderCheck.nullable().meta({
    description: 'Of a received message whose sender was checked; otherwise null',
  }),
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

/** The fields of a message that an account writes: a draft and a sent message have the same (contract §4.2). */
const written = {
  address_id: z.int().meta({ description: 'The mailbox of the sender' }),
  to: Recipients.meta({ description: 'The addresses of `To`' }),
  cc: Recipients.meta({ description: 'The addresses of `Cc`', examples: [['sam@northwind.example']] }),
  bcc: Recipients.meta({
    description: 'The addresses of `Bcc`, which no recipient sees',
    examples: [['kim@northwind.example']],
  }),
  // Saved while it is typed, so blanks stay.
  subject: z
    .string()
    .overwrite(withoutBidiControls)
    .max(MAX_SUBJECT)
    .refine((subject) => !/[\n\v\f\r\u0085\u2028\u2029]/.test(subject), 'must be a single line')
    .default('')
    .meta({ description: 'A single line' }),
  body: z.string().default('').meta({
    description:
      'The text of the message, in HTML. An image with `src="cid:ID"` is the attachment with that id, shown in the text',
  }),
  draft_id: z
    .union([z.string(), z.int()], 'must be a string or an integer')
    .optional()
    .meta({
      description: 'The draft to replace; without it, a draft is created',
      examples: ['msg_01kar9x4z8c5m7p2t6v3000000'],
    }),
  attachments: MessageFiles,
  in_reply_to: idOf('mailMessage')
    .nullable()
    .default(null)
    .meta({
      description: 'The message that this one answers, whose conversation it joins',
      examples: [null],
    }),
};

const mayHaveRecipients = ({ to, cc, bcc }: Record<'to' | 'cc' | 'bcc', string[]>) =>
  to.length + cc.length + bcc.length <= MAX_RECIPIENTS;
const TOO_MANY_RECIPIENTS = {
  path: ['to'],
  error: `must have at most ${MAX_RECIPIENTS} addresses together with "cc" and "bcc"`,
};

/** Contract §4.2. A save replaces the complete draft: omitted fields become empty. */
export const SaveDraftInput = z.object(written).refine(mayHaveRecipients, TOO_MANY_RECIPIENTS);

export const SendMailInput = z
  .object({
    ...written,
    subject: written.subject.unwrap().overwrite(oneLine).default('').meta({ description: 'A single line' }),
    draft_id: written.draft_id.meta({ description: 'The draft that becomes the message, with its id' }),
    send_at: z.iso
      .datetime({ offset: true, error: 'must be a date and time in ISO 8601 with an offset, such as "Z"' })
      .optional()
      .meta({
        description: `When to send it, at most ${MAX_SEND_AHEAD_DAYS} days ahead; by default after ${SEND_DELAY_SECONDS} seconds`,
        examples: ['2026-11-23T08:00:00Z'],
      }),
  })
  .refine(mayHaveRecipients, TOO_MANY_RECIPIENTS)
  .refine(({ to, cc, bcc }) => to.length + cc.length + bcc.length > 0, {
    path: ['to'],
    error: 'must have an address, unless "cc" or "bcc" has one',
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
  folder: Folder.optional().meta({
    description: 'Only messages of this folder; by default `inbox`, or all with `q`',
  }),
  q: z
    .string()
    .refine(
      (q) => [...q.trim()].length <= MAX_MAIL_QUERY_LENGTH,
      `must have at most ${MAX_MAIL_QUERY_LENGTH} characters`,
    )
    .superRefine((q, ctx) => {
      for (const message of parseMailSearch(q).errors) ctx.addIssue({ code: 'custom', message });
    })
    .optional()
    .meta({
      maxLength: MAX_MAIL_QUERY_LENGTH,
      description:
        'Words and `"phrases"`, each of which must be in the addresses, the names, the subject, the text or the names of received files, and operators: ' +
        '`from:`, `to:` (also `Cc` and `Bcc`) and `subject:` with a word or a phrase, `in:` with a folder, `has:attachment`, `is:unread`, `before:` and `after:` with a day such as ' +
        '`2026-11-27` in the account’s time zone (`after:` includes it). A term that begins with `-` must not be true. Letters match as in the search of tickets. ' +
        'With `q`, all folders are searched unless one is named, and of each text the first 50,000 characters.',
      examples: ['payout from:anders after:2026-11-01'],
    }),
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
