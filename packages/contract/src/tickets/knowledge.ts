import * as z from 'zod';
import { AnyText, Language, Timestamp, VisibleLine, VisibleText } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';
import { MAX_ARTICLE_TEXT, MAX_ARTICLE_TITLE, MAX_ASSISTANT_RULES } from '../values/limits.ts';
import { LastEventId } from '../values/live.ts';
import { TicketPriority } from './tickets.ts';

/** An article that a reply of the assistant is based on. */
export const ArticleRef = z.object({ id: idOf('article'), title: z.string() });
export type ArticleRef = z.infer<typeof ArticleRef>;

/** An article that the assistant answers from. `length`: of its text, in UTF-16 units. */
export const KnowledgeArticle = z.object({
  object: z.literal('knowledge_article'),
  id: idOf('article'),
  title: z.string(),
  length: z.int(),
  updated_at: Timestamp,
});
export type KnowledgeArticle = z.infer<typeof KnowledgeArticle>;

/** The articles of the firm, by title. */
export const KnowledgeArticles = z.object({ data: z.array(KnowledgeArticle) });

export const KnowledgeArticleWithText = KnowledgeArticle.extend({ text: z.string() });

export const KnowledgeArticleRef = z.object({ id: idOf('article') });

const article = { title: VisibleLine.max(MAX_ARTICLE_TITLE), text: VisibleText.max(MAX_ARTICLE_TEXT) };

/** `text`: Markdown. */
export const CreateArticleInput = z.object(article);

export const UpdateArticleInput = KnowledgeArticleRef.extend(article);

export const ArticleDeleted = z.object({
  object: z.literal('knowledge_article_deleted'),
  id: idOf('article'),
});

/**
 * How the assistant answers. `languages`: those in which it may write, all if there are none. It hands a ticket to the team when the trader
 * writes one of the words, for a priority, and after a number of replies.
 */
const guide = {
  rules: AnyText.max(MAX_ASSISTANT_RULES),
  languages: z.array(Language.max(20)).max(20),
  hand_over: z.object({
    words: z.array(VisibleLine.max(60)).max(50),
    priorities: z.array(TicketPriority).max(4),
    after_replies: z.int().min(1).max(50).nullable(),
  }),
};
export const SetAssistantGuideInput = z.object(guide);
export type AssistantGuideSettings = z.output<typeof SetAssistantGuideInput>;

export const AssistantGuide = z.object({
  object: z.literal('assistant_guide'),
  rules: z.string(),
  languages: z.array(z.string()),
  hand_over: z.object({
    words: z.array(z.string()),
    priorities: z.array(TicketPriority),
    after_replies: z.int().nullable(),
  }),
});
export type AssistantGuide = z.infer<typeof AssistantGuide>;

/** The articles on which the assistant’s replies on a ticket of the last 30 days are based. */
export const UsedArticlesInput = z.object({ ticket: idOf('ticket') });
export const UsedArticles = z.object({
  data: z.array(z.object({ message: idOf('ticketMessage'), articles: z.array(ArticleRef) })),
});

/** The ticket whose last message of the trader is answered, as if it had just arrived. */
export const TryAssistantInput = z.object({ ticket: idOf('ticket'), lastEventId: LastEventId });
