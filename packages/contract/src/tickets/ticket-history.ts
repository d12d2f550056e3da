import * as z from 'zod';
import { fieldErrorCodes, Limit, pageOf, Timestamp } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';
import { ruleEffects } from '../values/schema-enumerations.ts';
import { AssignmentMode } from './assignment.ts';
import { Team, TicketPriority, TicketRef, TicketStatus, TicketTag } from './tickets.ts';

const Person = z.object({ id: idOf('user'), name: z.string() });
const OtherTicket = z.object({ id: idOf('ticket'), number: z.string() });

/** A change of one property of a ticket. */
export const TicketPropertyChange = z.discriminatedUnion('property', [
  z.object({ property: z.literal('status'), before: TicketStatus, after: TicketStatus }),
  z.object({ property: z.literal('priority'), before: TicketPriority, after: TicketPriority }),
  z.object({ property: z.literal('assignee'), before: Person.nullable(), after: Person.nullable() }),
  z.object({ property: z.literal('team'), before: Team.nullable(), after: Team.nullable() }),
  z.object({ property: z.literal('tags'), added: z.array(TicketTag), removed: z.array(TicketTag) }),
  /** Whether the assistant answers the trader. */
  z.object({ property: z.literal('assistant'), after: z.boolean() }),
  /** Whether the assistant is permanently off. */
  z.object({ property: z.literal('assistant_blocked'), after: z.boolean() }),
  z.object({ property: z.literal('merged_into'), ticket: OtherTicket }),
  z.object({ property: z.literal('merged_from'), ticket: OtherTicket }),
  /** What a rule did beside its changes of properties. */
  z.object({ property: z.literal('rule_effect'), effect: z.enum(ruleEffects) }),
]);
export type TicketPropertyChange = z.infer<typeof TicketPropertyChange>;

/** Why the service changed a ticket by itself: a rule of the firm, or the assignment of its team. */
export const TicketChangeReason = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rule'), id: idOf('ticketRule'), name: z.string() }),
  z.object({ kind: z.literal('assignment'), mode: AssignmentMode.exclude(['off']) }),
]);
export type TicketChangeReason = z.infer<typeof TicketChangeReason>;

/** What one operation changed of a ticket. */
export const TicketHistoryEntry = z.object({
  object: z.literal('ticket_history_entry'),
  id: z.string(),
  created_at: Timestamp,
  /** An account, an operator by name, or null: the assistant, or what `reason` says. */
  author: z.object({ id: idOf('user').nullable(), name: z.string() }).nullable(),
  /** Null for what a person or the assistant did. */
  reason: TicketChangeReason.nullable(),
  /** Whether a message caused the changes: a reply lets the ticket wait for its trader, and switches the assistant off. */
  automatic: z.boolean(),
  changes: z.array(TicketPropertyChange),
});
export type TicketHistoryEntry = z.infer<typeof TicketHistoryEntry>;

/** A page of a ticket's history, newest entry first. `starting_after` is the id of the last entry. */
export const ListTicketHistoryInput = TicketRef.extend({
  limit: Limit,
  /** Without them, the history has only what somebody did besides writing. */
  include_automatic: z.boolean().default(true),
  starting_after: z
    .string()
    .regex(/^[1-9]\d{0,15}$/, 'must be the `next_cursor` of the previous page')
    .optional()
    .register(fieldErrorCodes, { code: 'invalid_cursor' }),
});
export const TicketHistoryPage = pageOf(TicketHistoryEntry);
export type TicketHistoryPage = z.infer<typeof TicketHistoryPage>;
