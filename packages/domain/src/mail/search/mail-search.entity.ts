import { defineEntity, p } from '@mikro-orm/core';
import { Workspace } from '../../access/workspaces/workspace.entity.ts';

/** How far the mail of a firm is indexed. The process that adds to the postings holds the lock of the row. */
export const MailSearchProgressSchema = defineEntity({
  name: 'MailSearchProgress',
  tableName: 'mail_search_progress',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    /** How many messages are numbered. */
    messages: p.integer().default(0),
    /** Which version of the folding the texts have (`FOLDING` in `platform/search/search-text.ts`). */
    folding: p.integer().default(0),
  },
});

/** A word of a firm's mail. */
export const MailSearchWordSchema = defineEntity({
  name: 'MailSearchWord',
  tableName: 'mail_search_words',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    /** A hash of the word, which can be longer than an index entry. */
    key: p.bigint('string').primary(),
    word: p.text(),
    /** At least about half of the number of messages in all postings. */
    postings: p.integer(),
    /** Since when no text contains the word. It is deleted a day later. */
    unusedSince: p.datetime(3).nullable(),
  },
});

/** The numbers of the messages that contain a word, in segments. */
export const MailSearchPostingSchema = defineEntity({
  name: 'MailSearchPosting',
  tableName: 'mail_search_postings',
  properties: {
    workspaceId: p.integer().primary(),
    key: p.bigint('string').primary(),
    segment: p.integer().primary(),
    messages: p.blob(),
  },
});
