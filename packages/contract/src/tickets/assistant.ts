import * as z from 'zod';
import { AnyText, VisibleText } from '../values/fields.ts';
import { idOf, SeenMessageId } from '../values/ids.ts';
import { MAX_INSTRUCTION_LENGTH } from '../values/limits.ts';
import { LastEventId } from '../values/live.ts';
import { ArticleRef } from './knowledge.ts';

/** The firm's assistant. `used`: the replies requested in this calendar month (UTC), of `monthly_allowance`. */
export const AssistantSettings = z.object({
  object: z.literal('assistant_settings'),
  enabled_for_team: z.boolean(),
  monthly_allowance: z.int().min(0),
  used: z.int().min(0),
  /** The replies of each day of the month (UTC) that had some. */
  days: z.array(z.object({ day: z.iso.date(), used: z.int() })),
});
export type AssistantSettings = z.infer<typeof AssistantSettings>;

export const UpdateAssistantInput = z.object({
  enabled_for_team: z.boolean().optional(),
  monthly_allowance: z.int().min(0).max(1_000_000).optional(),
});

/** Contract §4.8. The instruction is stored as it was sent. */
export const AskAssistantInput = z.object({
  ticket: idOf('ticket').meta({ description: 'The id of the ticket' }),
  instruction: VisibleText.refine(
    (text) => [...text].length <= MAX_INSTRUCTION_LENGTH,
    `must have at most ${MAX_INSTRUCTION_LENGTH} characters`,
  ).meta({
    minLength: 1,
    maxLength: MAX_INSTRUCTION_LENGTH,
    description: 'What the assistant is asked to write to the trader',
  }),
  seen_message_id: SeenMessageId.meta({
    description:
      'The last message that the caller has seen, null if there was none. If others have written since, the call is rejected.',
    examples: ['tmsg_01kar9x4z8c5m7p2t6v3wbqdhj'],
  }),
});

/** A draft for the caller. Without an instruction the assistant answers the trader’s latest message. */
export const DraftReplyInput = z.object({
  ticket: idOf('ticket'),
  instruction: AnyText.refine(
    (text) => [...text].length <= MAX_INSTRUCTION_LENGTH,
    `must have at most ${MAX_INSTRUCTION_LENGTH} characters`,
  ).default(''),
  lastEventId: LastEventId,
});

/**
 * An event of a draft. It ends with `done` or `failed`. A draft is not stored: after a lost connection it has failed. `articles`: those that
 * it is based on. `discard_text`: the text so far was not meant for a reader, and is not to be kept.
 */
export const DraftStreamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), articles: z.array(ArticleRef) }),
  z.object({ type: z.literal('text_delta'), text: z.string() }),
  z.object({ type: z.literal('done') }),
  z.object({ type: z.literal('failed'), reason: z.string(), discard_text: z.boolean().optional() }),
]);
export type DraftStreamEvent = z.infer<typeof DraftStreamEvent>;

export const StopAssistantInput = z.object({ ticket: idOf('ticket') });

/** `stopped`: the number of stopped replies, including those that had not begun. */
export const AssistantStopped = z.object({ object: z.literal('assistant_stopped'), stopped: z.int() });

/** `message`: the note with the command. */
export const UndoCommandInput = z.object({ ticket: idOf('ticket'), message: idOf('ticketMessage') });

export const CommandUndone = z.object({ object: z.literal('command_undone'), id: idOf('ticketMessage') });
