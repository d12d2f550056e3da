import {
  ArticleDeleted,
  AssistantGuide,
  CreateArticleInput,
  DraftStreamEvent,
  KnowledgeArticleRef,
  KnowledgeArticles,
  KnowledgeArticleWithText,
  SetAssistantGuideInput,
  TryAssistantInput,
  UpdateArticleInput,
  UsedArticles,
  UsedArticlesInput,
} from '@firmdesk/contract';
import { trackedStreamOf } from '../../procedures/tracked-stream.ts';
import { adminProcedure, NoInput, router } from '../../procedures/trpc.ts';
import { draftReply } from '../drafts/draft-reply.ts';
import {
  createArticle,
  deleteArticle,
  getArticle,
  listArticles,
  listUsedArticles,
  updateArticle,
} from './articles.ts';
import { getGuide, setGuide } from './guide.ts';

const tag = 'Tickets';
const viewing = { tag, scope: 'admin:read', permissions: ['view_tickets'] } as const;
const managing = { tag, scope: 'admin:write', permissions: ['manage_assistant'] } as const;
const errors = ['resource_not_found'] as const;

/** What the assistant knows, and how it answers. */
export const knowledgeRouter = router({
  list: adminProcedure({
    ...viewing,
    summary: 'List the articles that the assistant answers from',
    input: NoInput,
    output: KnowledgeArticles,
  }).query(async ({ ctx }) => ({ data: await listArticles(ctx) })),

  get: adminProcedure({
    ...viewing,
    summary: 'Get an article that the assistant answers from',
    errors,
    input: KnowledgeArticleRef,
    output: KnowledgeArticleWithText,
  }).query(({ ctx, input }) => getArticle(ctx, input.id)),

  create: adminProcedure({
    ...managing,
    summary: 'Add an article for the assistant',
    status: [201],
    input: CreateArticleInput,
    output: KnowledgeArticleWithText,
  }).mutation(({ ctx, input }) => createArticle(ctx, input)),

  update: adminProcedure({
    ...managing,
    summary: 'Replace an article of the assistant',
    errors,
    input: UpdateArticleInput,
    output: KnowledgeArticleWithText,
  }).mutation(({ ctx, input }) => updateArticle(ctx, input)),

  delete: adminProcedure({
    ...managing,
    summary: 'Delete an article of the assistant',
    errors,
    input: KnowledgeArticleRef,
    output: ArticleDeleted,
  }).mutation(async ({ ctx, input }) => {
    await deleteArticle(ctx, input.id);
    return { object: 'knowledge_article_deleted' as const, id: input.id };
  }),

  used: adminProcedure({
    ...viewing,
    summary: 'List the articles on which the assistant’s replies on a ticket are based',
    errors,
    input: UsedArticlesInput,
    output: UsedArticles,
  }).query(async ({ ctx, input }) => ({ data: await listUsedArticles(ctx, input.ticket) })),

  guide: adminProcedure({
    ...viewing,
    summary: 'Get how the assistant answers, and when it hands over',
    input: NoInput,
    output: AssistantGuide,
  }).query(({ ctx }) => getGuide(ctx)),

  setGuide: adminProcedure({
    ...managing,
    summary: 'Replace how the assistant answers, and when it hands over',
    input: SetAssistantGuideInput,
    output: AssistantGuide,
  }).mutation(({ ctx, input }) => setGuide(ctx, input)),

  try: adminProcedure({
    ...managing,
    permissions: ['view_tickets', 'manage_assistant'],
    summary: 'Let the assistant answer a past ticket for the caller, who sends nothing',
    description: 'Nothing is stored but the use of the firm’s allowance.',
    errors: ['resource_not_found', 'assistant_unavailable'],
    input: TryAssistantInput,
    output: trackedStreamOf(DraftStreamEvent),
  }).subscription(({ ctx, input, signal }) =>
    draftReply(ctx, { ...input, instruction: '' }, signal!, { isTrial: true }),
  ),
});
