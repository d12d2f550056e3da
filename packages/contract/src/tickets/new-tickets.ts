import * as z from 'zod';
import { Email } from '../mail/email.ts';
import { VisibleLine, VisibleText } from '../values/fields.ts';
import { IntegerId, idOf } from '../values/ids.ts';
import { MAX_MESSAGE_LENGTH, MAX_SUBJECT_LENGTH } from '../values/limits.ts';
import { Mentions } from './replies.ts';
import { Ticket, TicketMessage, TicketPriority, TicketRef } from './tickets.ts';

const MessageBody = VisibleText.max(MAX_MESSAGE_LENGTH);
const Subject = VisibleLine.max(MAX_SUBJECT_LENGTH);

/** A ticket for a member of the firm, opened by an agent. A reply awaits the trader; a note awaits the team, and notifies those whom it mentions. */
export const StartTicketInput = z
  .object({
    to: Email.meta({ description: 'The trader’s address' }),
    subject: Subject,
    body: MessageBody,
    // A note, because only that can have mentions.
    kind: z.enum(['reply', 'note']).meta({ examples: ['note'] }),
    priority: TicketPriority.default('normal'),
    assignee: idOf('user').nullable().default(null),
    team: IntegerId.nullable().default(null),
    mentions: Mentions,
    follows: idOf('ticket').optional().meta({
      description:
        'A ticket of the trader about the same: it is linked, and the new one has its tags and team',
    }),
  })
  .refine(({ kind, mentions }) => kind === 'note' || mentions.length === 0, {
    path: ['mentions'],
    error: 'must be empty for a reply: the trader sees it',
  });

export const TicketStarted = z.object({
  object: z.literal('ticket_started'),
  ticket: Ticket,
  message: TicketMessage,
});

const TraderMessageFields = z.object({
  from: Email.meta({ description: 'The trader’s address' }),
  body: MessageBody,
  via_email: z.boolean().default(false),
});

export const OpenTicketInput = TraderMessageFields.extend({
  subject: Subject,
  priority: TicketPriority.default('normal'),
  ai_enabled: z.boolean().default(true).meta({ description: 'Whether the assistant answers first' }),
});

export const TraderWriteInput = TraderMessageFields.extend({ ticket: idOf('ticket') });

export const CallAssistantInput = TicketRef.extend({ from: Email });

/** The ticket that received a trader's message, and the message. `opened`: whether the ticket is new. */
export const TraderWrote = z.object({
  object: z.literal('trader_wrote'),
  opened: z.boolean(),
  ticket: Ticket,
  message: TicketMessage,
});
export type TraderWrote = z.infer<typeof TraderWrote>;

/** Reports that a trader's name or address has changed, so that search finds the new one. `tickets`: how many the trader has. */
export const TraderRenamedInput = z.object({ trader: idOf('user') });
export const TraderRenamed = z.object({ object: z.literal('trader_renamed'), tickets: z.int() });
