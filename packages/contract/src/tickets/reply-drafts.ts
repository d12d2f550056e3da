import * as z from 'zod';
import { Timestamp } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';
import { MAX_DRAFT_LENGTH, MAX_FORMATTED_LENGTH, MAX_REPLY_MACROS } from '../values/limits.ts';
import { LastEventId } from '../values/live.ts';
import { ReplyActions } from './replies.ts';
import { TicketRef } from './tickets.ts';

const DraftMode = z.enum(['reply', 'note']);
/** Changes with each save. */
const DraftVersion = z.string().max(64);

/** The macros in a draft of a reply, and what is changed when it is sent. */
export const DraftMacros = z.object({
  ids: z.array(idOf('macro')).max(MAX_REPLY_MACROS),
  actions: ReplyActions,
});
export type DraftMacros = z.infer<typeof DraftMacros>;

/** What a draft says. */
export const DraftContent = z.object({
  text: z.string(),
  /** The text with formatting, in HTML as the editor writes it; null if it has none. */
  html: z.string().nullable().default(null),
  image_url: z.string().max(2000).default(''),
  image_name: z.string().max(255).default(''),
  macros: DraftMacros.nullable().default(null),
});

/**
 * A reply or note that its author has not sent. Only the author sees it. After a merge its text can be longer than {@link MAX_DRAFT_LENGTH}:
 * it has the texts of both tickets.
 */
export const StoredReplyDraft = DraftContent.extend({
  object: z.literal('reply_draft'),
  ticket_id: idOf('ticket'),
  mode: DraftMode,
  version: DraftVersion,
  updated_at: Timestamp,
});
export type StoredReplyDraft = z.infer<typeof StoredReplyDraft>;

/** The drafts of a ticket: at most one reply and one note. */
export const ReplyDraftsOfTicket = z.object({
  object: z.literal('reply_drafts'),
  reply: StoredReplyDraft.nullable(),
  note: StoredReplyDraft.nullable(),
});
export type ReplyDraftsOfTicket = z.infer<typeof ReplyDraftsOfTicket>;

/** The drafts of the caller in all tickets, newest first, without their texts. */
export const ReplyDraftList = z.object({
  data: z.array(StoredReplyDraft.pick({ ticket_id: true, mode: true, version: true, updated_at: true })),
});
export type ReplyDraftList = z.infer<typeof ReplyDraftList>;

/** `base`: the version that was changed; null for a new draft. Without text and image, the draft is deleted. */
export const SaveReplyDraftInput = TicketRef.extend({
  ...DraftContent.shape,
  text: z.string().max(MAX_DRAFT_LENGTH),
  html: z
    .string()
    .max(2 * MAX_FORMATTED_LENGTH)
    .nullable()
    .default(null),
  mode: DraftMode,
  base: DraftVersion.nullable(),
});

/** `saved`: whether the draft was saved. It was not if another device has saved a newer one, which is then in `draft`. */
export const ReplyDraftSave = z.object({
  object: z.literal('reply_draft_save'),
  saved: z.boolean(),
  draft: StoredReplyDraft.nullable(),
});
export type ReplyDraftSave = z.infer<typeof ReplyDraftSave>;

export const StreamReplyDraftsInput = z.object({ lastEventId: LastEventId });

export const ReplyDraftStreamEvent = z.discriminatedUnion('type', [
  /** The caller has saved a draft, or deleted it (`version` is null), on this device or another one. */
  z.object({
    type: z.literal('reply_draft.saved'),
    ticket_id: idOf('ticket'),
    mode: DraftMode,
    version: DraftVersion.nullable(),
  }),
  z.object({ type: z.literal('resync') }),
]);
export type ReplyDraftStreamEvent = z.infer<typeof ReplyDraftStreamEvent>;
