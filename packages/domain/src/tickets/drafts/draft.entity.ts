import type { Attachment, DraftMacros, ReplyActions, UnsentReason } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../access/accounts/user.entity.ts';

/** A reply or note that is being written. */
export const ReplyDraftSchema = defineEntity({
  name: 'ReplyDraft',
  tableName: 'reply_drafts',
  properties: {
    id: p.integer().columnType('bigint').primary().autoincrement(),
    workspaceId: p.integer().primary(),
    userId: p.manyToOne(User).mapToPk().fieldName('user_id'),
    ticketId: p.text(),
    mode: p.text().$type<'reply' | 'note'>(),
    text: p.text(),
    /** The text with formatting; null without. */
    html: p.text().nullable(),
    imageUrl: p.text(),
    imageName: p.text(),
    macros: p.json().$type<DraftMacros>().nullable(),
    /** Changes with each save. */
    version: p.text(),
    updatedAt: p.datetime(3),
  },
});

/** A reply that its author can still take back. */
export const DelayedSendSchema = defineEntity({
  name: 'DelayedSend',
  tableName: 'delayed_sends',
  properties: {
    workspaceId: p.integer().primary(),
    id: p.text().primary(),
    ticketId: p.text(),
    authorId: p.text(),
    author: p.text(),
    body: p.text(),
    bodyHtml: p.text().nullable(),
    imageUrl: p.text().nullable(),
    imageName: p.text().nullable(),
    attachments: p.json().$type<Attachment[]>().default('[]'),
    /** What is changed with the reply, and the macros that it contains. */
    actions: p.json().$type<ReplyActions>().nullable(),
    macroIds: p.array().columnType('text[]').nullable(),
    /** Until which message the author has seen the ticket; null to send the reply in any case. */
    seenThrough: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});

/** A delayed send that may no longer happen: a draft of its ticket for the team. */
export const UnsentReplySchema = defineEntity({
  name: 'UnsentReply',
  tableName: 'unsent_replies',
  properties: {
    workspaceId: p.integer().primary(),
    id: p.text().primary(),
    ticketId: p.text(),
    authorId: p.manyToOne(User).mapToPk().fieldName('author_id'),
    author: p.text(),
    text: p.text(),
    /** The text with formatting; null without. */
    html: p.text().nullable(),
    imageUrl: p.text(),
    imageName: p.text(),
    attachments: p.json().$type<Attachment[]>(),
    macros: p.json().$type<DraftMacros>().nullable(),
    reason: p.text().$type<UnsentReason>(),
    writtenAt: p.datetime(3),
    unsentAt: p.datetime(3),
  },
});
