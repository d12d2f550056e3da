import {
  CreateMailAttachmentInput,
  DeleteMessagesInput,
  DeliverMailInput,
  DRAFT_BODY_LIMIT,
  DraftDeleted,
  GetMailboxSettingsInput,
  idOf,
  ListMailFromInput,
  ListMessagesInput,
  MAX_RAW_MESSAGE,
  MAX_RECIPIENTS,
  MAX_SENT_BYTES,
  MAX_SENT_PER_DAY,
  MAX_UNSENT_ATTACHMENTS,
  MailAttachmentCreated,
  Mailbox,
  MailboxSettings,
  MailDelivery,
  MailListRow,
  MailMessage,
  MailPage,
  MailStreamEvent,
  MarkMessagesInput,
  MessagesChanged,
  MoveMessagesInput,
  OpenMailMessage,
  RestoreMessageInput,
  SaveDraftInput,
  SaveMailboxSettingsInput,
  SEND_DELAY_SECONDS,
  SendMailInput,
  SentMessage,
  StreamMailInput,
  UNSENT_ATTACHMENT_DAYS,
} from '@firmdesk/contract';
import { z } from 'zod';
import { trackedStreamOf } from '../procedures/tracked-stream.ts';
import { accountProcedure, NoInput, router } from '../procedures/trpc.ts';
import { deleteDraft } from './drafts/delete-draft.ts';
import { saveDraft } from './drafts/save-draft.ts';
import { createMailAttachment } from './files/create-mail-attachment.ts';
import { listMailboxes } from './mailboxes/list-mailboxes.ts';
import { getMailboxSettings, saveMailboxSettings } from './mailboxes/mailbox-settings.ts';
import { deleteMessages } from './messages/delete-messages.ts';
import { getMessage } from './messages/get-message.ts';
import { listMailFrom } from './messages/list-mail-from.ts';
import { listMessages } from './messages/list-messages.ts';
import { markMessages } from './messages/mark-messages.ts';
import { moveMessages } from './messages/move-messages.ts';
import { restoreMessage } from './messages/restore-message.ts';
import { deliverPrepared } from './receiving/deliver-mail.ts';
import { prepareCallerDelivery } from './receiving/prepare-delivery.ts';
import { rulesRouter } from './rules/rules-router.ts';
import { cancelSending } from './sending/cancel-sending.ts';
import { sendMessage } from './sending/send-message.ts';
import { streamMail } from './streams/stream-mail.ts';
import { threadsRouter } from './threads/threads-router.ts';

const tag = 'Mail';
const MessageId = z.object({ id: idOf('mailMessage').meta({ description: 'The id of the message' }) });

export const mailRouter = router({
  saveDraft: accountProcedure({
    rest: 'POST /v1/me/mail/drafts',
    tag,
    summary: 'Save a draft',
    description:
      'Without `draft_id`, creates a draft; with it, replaces that draft completely. To avoid overwriting a save that came ' +
      'between, send the `ETag` of the last response as `If-Match`. Recipients may be internationalised ' +
      '(`jürgen@exämple.de`, RFC 6531). They are stored as given, never converted to or from Punycode.',
    scope: 'mail:write',
    errors: ['resource_not_found', 'not_a_draft'],
    requestHeaders: ['If-Match'],
    largeBody: { limit: DRAFT_BODY_LIMIT, maxConcurrent: 4 },
    input: SaveDraftInput,
    output: MailMessage,
    answer: (draft: MailMessage) => ({ output: draft, headers: { ETag: `"${draft.message_at}"` } }),
  }).mutation(({ ctx, input }) => saveDraft(ctx, input)),

  send: accountProcedure({
    rest: 'POST /v1/me/mail/messages',
    tag,
    summary: 'Send a message',
    description:
      `The message is in the folder \`sent\` at once, and leaves after ${SEND_DELAY_SECONDS} seconds or at \`send_at\`; until then it can be taken back. ` +
      `It has at most ${MAX_RECIPIENTS} recipients, each of whom gets it once, and ${MAX_SENT_BYTES / 1024 / 1024} MB of text and files together. An account sends at most ` +
      `${MAX_SENT_PER_DAY} messages a day (UTC); more are answered \`rate_limited\`, with \`Retry-After\`. Mail for a mailbox of this installation is ` +
      'delivered to it directly; other mail goes to the mail server, which is tried for two days. Then, or if it refuses, its author is notified.',
    scope: 'mail:write',
    status: [201],
    errors: ['resource_not_found', 'not_a_draft'],
    largeBody: { limit: DRAFT_BODY_LIMIT, maxConcurrent: 4 },
    input: SendMailInput,
    output: SentMessage,
  }).mutation(({ ctx, input }) => sendMessage(ctx, input)),

  cancelSending: accountProcedure({
    rest: 'DELETE /v1/me/mail/messages/{id}/sending',
    tag,
    summary: 'Take a sent message back',
    description:
      'Only while the message is delayed. It is a draft again, with its id and its conversation. A repeated call answers the draft.',
    scope: 'mail:write',
    errors: ['resource_not_found', 'already_sent'],
    input: MessageId,
    output: MailListRow,
  }).mutation(({ ctx, input }) => cancelSending(ctx, input)),

  restore: accountProcedure({
    rest: 'POST /v1/me/mail/messages/{id}/restore',
    tag,
    summary: 'Restore a message from trash, spam or archive',
    scope: 'mail:write',
    errors: ['resource_not_found'],
    input: RestoreMessageInput,
    output: MailListRow,
  }).mutation(({ ctx, input }) => restoreMessage(ctx, input)),

  mailboxes: accountProcedure({
    rest: 'GET /v1/me/mail/mailboxes',
    conditional: true,
    tag,
    summary: 'List the mailboxes that the caller may read',
    scope: 'mail:read',
    input: NoInput,
    output: z.array(Mailbox),
  }).query(({ ctx }) => listMailboxes(ctx)),

  from: accountProcedure({
    tag,
    summary: 'List the newest messages from an address',
    scope: 'mail:read',
    input: ListMailFromInput,
    output: z.array(MailListRow),
  }).query(({ ctx, input }) => listMailFrom(ctx, input)),

  list: accountProcedure({
    rest: 'GET /v1/me/mail/messages',
    conditional: true,
    tag,
    summary: 'List messages, newest first',
    scope: 'mail:read',
    errors: ['resource_not_found', 'invalid_cursor'],
    input: ListMessagesInput,
    output: MailPage,
  }).query(({ ctx, input }) => listMessages(ctx, input)),

  get: accountProcedure({
    rest: 'GET /v1/me/mail/messages/{id}',
    conditional: true,
    tag,
    summary: 'Open a message',
    scope: 'mail:read',
    errors: ['resource_not_found'],
    input: MessageId,
    output: OpenMailMessage,
  }).query(({ ctx, input }) => getMessage(ctx, input)),

  move: accountProcedure({
    rest: 'POST /v1/me/mail/messages/move',
    tag,
    summary: 'Move messages to a folder',
    scope: 'mail:write',
    input: MoveMessagesInput,
    output: MessagesChanged,
  }).mutation(async ({ ctx, input }) => ({
    object: 'mail_messages_changed' as const,
    changed: await moveMessages(ctx, { ids: input.ids, to: input.folder }),
  })),

  mark: accountProcedure({
    rest: 'POST /v1/me/mail/messages/mark',
    tag,
    summary: 'Mark messages read or unread',
    scope: 'mail:write',
    input: MarkMessagesInput,
    output: MessagesChanged,
  }).mutation(async ({ ctx, input }) => ({
    object: 'mail_messages_changed' as const,
    changed: await markMessages(ctx, input),
  })),

  delete: accountProcedure({
    rest: 'POST /v1/me/mail/messages/delete',
    tag,
    summary: 'Delete messages',
    description:
      'Moves messages to the trash. Those that are in the trash already are deleted permanently, with their files, unless the caller may only ' +
      'read their mailbox.',
    scope: 'mail:write',
    input: DeleteMessagesInput,
    output: MessagesChanged,
  }).mutation(async ({ ctx, input }) => ({
    object: 'mail_messages_changed' as const,
    changed: await deleteMessages(ctx, input),
  })),

  createAttachment: accountProcedure({
    rest: 'POST /v1/me/mail/attachments',
    tag,
    summary: 'Announce a file to attach to a message',
    description:
      'Then `PUT` its bytes to `upload_url`, with the header `Content-Length` and the same token: 204 says that they are stored, and an interrupted upload can be ' +
      `repeated. A file has at most 25 MB. An account announces at most ${MAX_UNSENT_ATTACHMENTS} files that no message contains, and 1 GiB in an hour. A file that ` +
      `no message contains is deleted after ${UNSENT_ATTACHMENT_DAYS} days.`,
    scope: 'mail:write',
    status: [201],
    errors: ['resource_not_found', 'attachment_limit_reached'],
    input: CreateMailAttachmentInput,
    output: MailAttachmentCreated,
  }).mutation(({ ctx, input }) => createMailAttachment(ctx, input)),

  deleteDraft: accountProcedure({
    tag,
    summary: 'Delete a draft permanently',
    scope: 'mail:write',
    errors: ['resource_not_found', 'not_a_draft'],
    input: MessageId,
    output: DraftDeleted,
  }).mutation(async ({ ctx, input }) => {
    await deleteDraft(ctx, input);
    return { object: 'mail_draft_deleted' as const, id: input.id };
  }),

  threads: threadsRouter,

  rules: rulesRouter,

  settings: router({
    get: accountProcedure({
      tag,
      summary: 'Return the signature and the automatic answer of a mailbox',
      scope: 'mail:read',
      errors: ['resource_not_found'],
      input: GetMailboxSettingsInput,
      output: MailboxSettings,
    }).query(({ ctx, input }) => getMailboxSettings(ctx, input)),

    save: accountProcedure({
      tag,
      summary: 'Replace the signature and the automatic answer of a mailbox',
      scope: 'mail:write',
      errors: ['resource_not_found'],
      input: SaveMailboxSettingsInput,
      output: MailboxSettings,
    }).mutation(({ ctx, input }) => saveMailboxSettings(ctx, input)),
  }),

  live: accountProcedure({
    tag,
    summary: 'Follow changes of the mailboxes that the caller may read',
    scope: 'mail:read',
    input: StreamMailInput,
    output: trackedStreamOf(MailStreamEvent),
  }).subscription(({ ctx, input, signal }) => streamMail(ctx, input, signal!)),

  deliver: accountProcedure({
    tag,
    summary: 'Deliver a message to a mailbox',
    description:
      'For the platform’s own services. A platform token may deliver to the mailboxes of the firms in which its account may act, a firm’s ' +
      'token to those of the firm. Mail of a suspended firm is stored.',
    scope: 'platform:write',
    errors: ['resource_not_found'],
    // Base64 adds a third. The rest is for the other fields.
    largeBody: { limit: Math.ceil((MAX_RAW_MESSAGE * 4) / 3) + 65_536, maxConcurrent: 32 },
    input: DeliverMailInput,
    output: MailDelivery,
    prepare: prepareCallerDelivery,
  }).mutation(({ ctx }) => deliverPrepared(ctx, ctx.prepared)),
});
