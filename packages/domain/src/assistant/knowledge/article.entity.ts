import { defineEntity, p } from '@mikro-orm/core';

/** A text that the assistant answers from. */
export const ArticleSchema = defineEntity({
  name: 'KnowledgeArticle',
  tableName: 'knowledge_articles',
  properties: {
    workspaceId: p.integer().primary().autoincrement(false),
    id: p.text().primary(),
    title: p.text(),
    text: p.text(),
    /** The keys of the distinct words of both (`wordKeys`). */
    words: p.array().$type<string[]>().columnType('text[]'),
    updatedAt: p.datetime(3),
  },
});
export class Article extends ArticleSchema.class {}
ArticleSchema.setClass(Article);
