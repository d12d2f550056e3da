import { htmlOfPlainText } from '@firmdesk/contract';
import { draftContentOf } from '@firmdesk/domain/import';
import type { SeedRecordInput } from '../schema.ts';
import { type ExportContext, rowsBy } from './context.ts';

type Ticket = SeedRecordInput<'tickets'>;
type Parts = Pick<Ticket, 'drafts' | 'unsent_replies' | 'followers' | 'rating'>;

/** Returns what belongs to each ticket of a page beside its conversation. A reply that its author could still take back is one that was not sent. */
export async function readTicketParts(
  ctx: ExportContext,
  ids: readonly string[],
): Promise<(ticket: string) => Parts> {
  const drafts = await rowsBy(ctx, 'reply_drafts', 'ticket_id', ids, ['user_id', 'mode']);
  const unsent = await rowsBy(ctx, 'unsent_replies', 'ticket_id', ids, ['id']);
  const delayed = await rowsBy(ctx, 'delayed_sends', 'ticket_id', ids, ['id']);
  const followers = await rowsBy(ctx, 'ticket_followers', 'ticket_id', ids, ['user_id']);
  const ratings = await rowsBy(ctx, 'ticket_ratings', 'ticket_id', ids);
  return (ticket) => {
    const [rating] = ratings(ticket);
    return {
      drafts: drafts(ticket).map(
        ({ user_id, mode, text, html, image_url, image_name, macros, updated_at }) => ({
          user: user_id,
          mode,
          text,
          ...(html !== null && { html }),
          image_url,
          image_name,
          ...(macros !== null && { macros }),
          updated_at,
        }),
      ),
      unsent_replies: [
        ...unsent(ticket).map((reply) => ({
          id: reply.id,
          author: reply.author_id,
          ...writtenOf(reply, reply.attachments),
          image_url: reply.image_url,
          image_name: reply.image_name,
          ...(reply.macros !== null && { macros: reply.macros }),
          reason: reply.reason,
          written_at: reply.written_at,
          unsent_at: reply.unsent_at,
        })),
        ...delayed(ticket).map((reply) => {
          const { text, html, macros, ...image } = draftContentOf(reply);
          return {
            id: reply.id,
            author: reply.author_id,
            ...writtenOf({ text, html }, reply.attachments),
            ...image,
            ...(macros !== null && { macros }),
            reason: 'firm_suspended' as const,
            written_at: reply.created_at,
            unsent_at: reply.created_at,
          };
        }),
      ],
      followers: followers(ticket).map(({ user_id, created_at }) => ({ user: user_id, since: created_at })),
      ...(rating && {
        rating: {
          ...(rating.asked_at !== null && { asked_at: rating.asked_at }),
          ...(rating.score !== null && { score: rating.score }),
          comment: rating.comment,
          ...(rating.rated_at !== null && { rated_at: rating.rated_at }),
        },
      }),
    };
  };
}

/** Returns the text of a reply with the names of its files, whose contents an import file does not have. */
function writtenOf(
  { text, html }: { text: string; html: string | null },
  attachments: readonly { name: string }[],
): { text: string; html?: string } {
  const files = attachments.map(({ name }) => `[File: ${name}]`);
  return {
    text: [text, ...files].filter(Boolean).join('\n\n'),
    ...(html !== null && { html: [html, ...files.map(htmlOfPlainText)].join('<p></p>') }),
  };
}
