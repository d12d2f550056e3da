import { randomUUID } from 'node:crypto';
import { cleanFormatted } from '@firmdesk/domain/import';
import type { SeedRecord } from '../schema.ts';
import { type ImportContext, person, timestampOf } from './context.ts';
import { idAt } from './ids.ts';
import { insertRows } from './insert-rows.ts';

interface Written {
  ticket: SeedRecord<'tickets'>;
  workspace_id: number;
  ticket_id: string;
}

/** Writes what belongs to tickets beside their conversations. */
export async function writeTicketParts(ctx: ImportContext, tickets: readonly Written[]): Promise<void> {
  const drafts = tickets.flatMap(({ ticket, ...at }) =>
    ticket.drafts.map(({ user, mode, text, html, image_url, image_name, macros, updated_at }) => ({
      ...at,
      user_id: person(ctx, user).id,
      mode,
      ...formatted(text, html),
      image_url,
      image_name,
      macros: macros ?? null,
      version: randomUUID(),
      updated_at: timestampOf(ctx, updated_at),
    })),
  );
  const unsent = tickets.flatMap(({ ticket, ...at }) =>
    ticket.unsent_replies.map(
      ({ id, author, text, html, image_url, image_name, macros, reason, ...times }) => {
        const written_at = timestampOf(ctx, times.written_at);
        return {
          ...at,
          id: id ?? idAt('ticketMessage', written_at),
          author_id: person(ctx, author).id,
          author: person(ctx, author).name,
          ...formatted(text, html),
          image_url,
          image_name,
          macros: macros ?? null,
          attachments: [],
          reason,
          written_at,
          unsent_at: timestampOf(ctx, times.unsent_at),
        };
      },
    ),
  );
  const followers = tickets.flatMap(({ ticket, ...at }) =>
    ticket.followers.map(({ user, since }) => ({
      ...at,
      user_id: person(ctx, user).id,
      created_at: timestampOf(ctx, since),
    })),
  );
  const ratings = tickets.flatMap(({ ticket: { rating }, ...at }) =>
    rating == null
      ? []
      : {
          ...at,
          asked_at: timestampOf(ctx, rating.asked_at),
          score: rating.score ?? null,
          comment: rating.comment,
          rated_at: timestampOf(ctx, rating.rated_at),
        },
  );
  await insertRows(ctx.sql, 'reply_drafts', drafts);
  await insertRows(ctx.sql, 'unsent_replies', unsent);
  await insertRows(ctx.sql, 'ticket_followers', followers);
  await insertRows(ctx.sql, 'ticket_ratings', ratings);
}

/** Returns a text with the safe part of its formatting, as the conversation shows it. */
function formatted(text: string, html: string | null | undefined): { text: string; html: string | null } {
  const cleaned = html == null ? null : cleanFormatted(html);
  return cleaned?.html ? { text: cleaned.text, html: cleaned.html } : { text, html: null };
}
