import * as z from 'zod';
import { Email } from '../mail/email.ts';
import { AnyText, Timestamp } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';
import { MAX_RATING_COMMENT } from '../values/limits.ts';

/** How satisfied a trader was with the answers to a ticket: 1 to 5, and what they add. */
export const Rating = z.object({
  score: z.int().min(1).max(5),
  comment: AnyText.max(MAX_RATING_COMMENT).default(''),
});
export type Rating = z.output<typeof Rating>;

/** The platform passes on what a trader says about a ticket. */
export const RateTicketInput = Rating.extend({ ticket: idOf('ticket'), from: Email });
export type RateTicketInput = z.output<typeof RateTicketInput>;

/** What the trader of a ticket was asked and answered. Without an answer, `score` is null. */
export const TicketSatisfaction = z.object({
  object: z.literal('ticket_satisfaction'),
  ticket_id: idOf('ticket'),
  asked_at: Timestamp.nullable(),
  score: z.int().min(1).max(5).nullable(),
  comment: z.string(),
  rated_at: Timestamp.nullable(),
});
export type TicketSatisfaction = z.infer<typeof TicketSatisfaction>;

/** Whether traders are asked by mail after their tickets were resolved. */
export const SatisfactionSettings = z.object({
  object: z.literal('satisfaction_settings'),
  asks: z.boolean(),
});
export type SatisfactionSettings = z.infer<typeof SatisfactionSettings>;
export const SetSatisfactionInput = SatisfactionSettings.pick({ asks: true });
