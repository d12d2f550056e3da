import { defineEntity, p } from '@mikro-orm/core';
import { Workspace } from '../../access/workspaces/workspace.entity.ts';

/** How far the texts of a firm are indexed. The process that adds to the postings holds the lock of the row. */
export const SearchProgressSchema = defineEntity({
  name: 'SearchProgress',
  tableName: 'search_progress',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    /** How many tickets are numbered. */
    tickets: p.integer().default(0),
    /** Which version of the folding the texts have (`FOLDING` in `search-text.ts`). */
    folding: p.integer().default(0),
  },
});

/** A word of a firm's texts. */
export const SearchWordSchema = defineEntity({
  name: 'SearchWord',
  tableName: 'search_words',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    /** A hash of the word, which can be longer than an index entry. */
    key: p.bigint('string').primary(),
    word: p.text(),
    /** At least about half of the number of tickets in all postings. */
    postings: p.integer(),
    /** Since when no text contains the word. It is deleted a day later. */
    unusedSince: p.datetime(3).nullable(),
  },
});

/** The numbers of the tickets that contain a word, in segments. */
export const SearchPostingSchema = defineEntity({
  name: 'SearchPosting',
  tableName: 'search_postings',
  properties: {
    workspaceId: p.integer().primary(),
    key: p.bigint('string').primary(),
    segment: p.integer().primary(),
    tickets: p.blob(),
  },
});
