import * as z from 'zod';
import { Attachment } from '../attachments/attachments.ts';
import { ticketGroups, ticketPriorities, ticketSorts, ticketStatuses } from '../values/enumerations.ts';
import { fieldErrorCodes, Limit, pageOf, Timestamp } from '../values/fields.ts';
import { ID_BODY, idPrefixes } from '../values/id-prefixes.ts';
import { IntegerId, idOf } from '../values/ids.ts';
import { MAX_QUERY_LENGTH } from '../values/limits.ts';
import { messageAuthors, ticketRelations } from '../values/schema-enumerations.ts';

export const TicketStatus = z.enum(ticketStatuses).meta({
  description:
    'open: the assistant answers; awaiting_admin: waits for the team; resolved and closed are final',
});
export type TicketStatus = z.infer<typeof TicketStatus>;
export const TicketPriority = z.enum(ticketPriorities).meta({ description: 'Set by the team' });
export type TicketPriority = z.infer<typeof TicketPriority>;
export const MessageAuthor = z.enum(messageAuthors);
export type MessageAuthor = z.infer<typeof MessageAuthor>;

/** A label of a workspace, for tickets and events. */
export const TicketTag = z.object({
  id: IntegerId.meta({ description: 'The id of the tag' }),
  name: z.string().meta({ description: 'The name to show to users' }),
  color: z.string().meta({ description: 'The color to show, in hexadecimal' }),
});

export const Team = z.object({
  id: IntegerId.meta({ description: 'The id of the team' }),
  name: z.string().meta({ description: 'The name to show to users' }),
});

/** An avatar of this service has a hash in its URL: the picture at a URL never changes. */
const AvatarUrl = z
  .string()
  .nullable()
  .meta({
    description: 'The URL of a picture, of this service or another. It needs no token',
    examples: [
      'https://desk.example.com/avatars/a591a6d40bf420404a011733cfb7b190d62c65bf0bcda32b57b277d9ad9f146e',
    ],
  });

export const Agent = z.object({
  id: idOf('user').meta({ description: 'The id of the account' }),
  name: z.string().meta({ description: 'The name to show to users' }),
  avatar_url: AvatarUrl,
});

/** A ticket in a list (contract §2.5). */
export const Ticket = z.object({
  object: z.literal('ticket'),
  id: idOf('ticket').meta({ description: 'The id of the ticket' }),
  number: z.string().meta({ description: '# and the last six characters of the id', examples: ['#4X7Q2M'] }),
  subject: z.string().meta({ description: 'The subject of the conversation' }),
  status: TicketStatus,
  priority: TicketPriority,
  ai_enabled: z.boolean().meta({ description: 'Whether the assistant answers the trader' }),
  ai_blocked: z.boolean().meta({ description: 'Whether the assistant is permanently off for the ticket' }),
  unread: z
    .int()
    .min(0)
    .meta({ description: 'Messages of the trader and the assistant that the team has not read' }),
  last_from: MessageAuthor.nullable().meta({ description: 'The author of the latest message' }),
  last_message_at: Timestamp.meta({ description: 'The time of the latest message' }),
  created_at: Timestamp.meta({ description: 'The time at which the ticket was opened' }),
  closed_at: Timestamp.nullable().meta({
    description: 'The time at which the ticket was resolved or closed',
  }),
  snoozed: z.boolean().meta({ description: 'Whether the console leaves it out of its lists for now' }),
  snoozed_until: Timestamp.nullable().meta({
    description: 'The end of the snooze; null if it is not snoozed, or until the trader writes',
  }),
  woken_at: Timestamp.nullable().meta({
    description: 'The time at which the last snooze ended, until the team replies',
  }),
  first_response_due_at: Timestamp.nullable().meta({
    description:
      'The time until which the team is to reply first; null without a target, and while the ticket does not await the team',
  }),
  resolution_due_at: Timestamp.nullable().meta({
    description:
      'The time until which the ticket is to be resolved; null without a target, and while the ticket does not await the team',
  }),
  trader: z.object({
    id: idOf('user').meta({ description: 'The id of the trader’s account' }),
    name: z.string().meta({ description: 'The name to show to users' }),
    email: z.string().meta({ description: 'The address of the trader' }),
    avatar_url: AvatarUrl,
    deleted: z.boolean().meta({ description: 'Whether the account was deleted' }),
  }),
  assignee: Agent.nullable(),
  team: Team.nullable(),
  tags: z.array(TicketTag).meta({ description: 'The labels of the ticket' }),
  action_url: z.string().meta({ description: 'Path inside the web application' }),
});
export type Ticket = z.infer<typeof Ticket>;

/** A ticket that another one is linked to. */
export const LinkedTicket = Ticket.pick({ id: true, number: true, subject: true, status: true }).extend({
  relation: z.enum(ticketRelations).meta({
    description:
      'follows: the ticket was opened after the other had ended, about the same; followed_by: the other way round',
  }),
});
export type LinkedTicket = z.infer<typeof LinkedTicket>;

/** A single ticket (contract §2.5). */
export const TicketWithCan = Ticket.extend({
  merged_into: idOf('ticket').nullable().meta({
    description: 'The ticket that this one was merged into, which has its messages',
  }),
  links: z.array(LinkedTicket).meta({ description: 'The tickets that are linked with this one' }),
  trader_language: z
    .string()
    .meta({ description: 'The language of the trader’s profile, else of the account, a BCP 47 tag' }),
  following: z.boolean().meta({ description: 'Whether the caller follows the ticket' }),
  can: z.object({
    ai: z.boolean().meta({ description: 'Whether the team may use the assistant for it' }),
    reply: z.boolean().meta({ description: 'Whether the caller may reply to the trader' }),
    manage: z.boolean().meta({ description: 'Whether the caller may change the ticket' }),
    auto_reply: z.boolean().meta({
      description:
        'Whether the caller may switch the assistant on: not once the team has replied to the trader',
    }),
  }),
});
export type TicketWithCan = z.infer<typeof TicketWithCan>;

/** Contract §2.6. */
export const TicketMessage = z.object({
  object: z.literal('ticket_message'),
  id: idOf('ticketMessage').meta({ description: 'The id of the message' }),
  ticket_id: idOf('ticket').meta({ description: 'The ticket that the message belongs to' }),
  from: MessageAuthor.meta({ description: 'The kind of author' }),
  author: z.string().meta({ description: 'The author’s name, to show to users' }),
  body: z.string().meta({ description: 'The text of the message; grows while `streaming`' }),
  image_url: z
    .string()
    .nullable()
    .meta({
      description: 'The URL of an attached image',
      examples: ['https://northwind.example/statement.png'],
    }),
  image_name: z
    .string()
    .nullable()
    .meta({ description: 'The file name of the image', examples: ['statement.png'] }),
  attachments: z.array(Attachment).prefault([]).meta({ description: 'The files of the message' }),
  internal: z.boolean().meta({ description: 'A note that only the team sees' }),
  streaming: z.boolean().meta({ description: 'Whether the assistant is still writing the message' }),
  via_email: z.boolean().meta({ description: 'Whether the message came by email' }),
  event: z.string().nullable().meta({ description: 'The change that a message of the system reports' }),
  read_at: Timestamp.nullable().meta({ description: 'The time at which the team read the message' }),
  created_at: Timestamp.meta({ description: 'The time at which the message was written' }),
  body_html: z
    .string()
    .optional()
    .meta({
      description:
        'The text with formatting, in HTML of few elements: paragraphs, emphasis, lists, links, quotes and code; absent without formatting',
      examples: ['<p>It comes <strong>today</strong>.</p>'],
    }),
  mentions: z
    .array(idOf('user'))
    .optional()
    .meta({
      description: 'The ids of the colleagues whom a note mentions; absent if there are none',
      examples: [['usr_01kar9x4z8c5m7p2t6v3wbqdhj']],
    }),
});
export type TicketMessage = z.infer<typeof TicketMessage>;
export const TicketSort = z.enum(ticketSorts);
export type TicketSort = z.infer<typeof TicketSort>;

/**
 * Contract §4.7. The ids of teams and tags are strings here, because they come in a query. A malformed value is an error; an
 * unknown id matches nothing.
 */
export const ListTicketsInput = z.object({
  status: z.enum(ticketGroups).default('all').meta({
    description:
      'waiting: awaits the team; open: not ended; ai: the assistant answers; trader: awaits the trader',
  }),
  assignee: z
    .string()
    .regex(
      new RegExp(`^(anyone|me|none|${idPrefixes.user}${ID_BODY})$`),
      'must be "anyone", "me", "none" or the id of an agent',
    )
    .default('anyone')
    .meta({
      description: 'me: assigned to the caller or to a team of the caller; none: no agent and no team',
      examples: ['me'],
    }),
  team: z
    .string()
    .regex(/^(any|none|[1-9]\d{0,17})$/, 'must be "any", "none" or the id of a team')
    .default('any')
    .meta({ description: 'The id of a team; none: no team', examples: ['1'] }),
  priority: z
    .enum([...ticketPriorities, 'all'])
    .default('all')
    .meta({ description: 'Only tickets with this priority' }),
  tag: z
    .string()
    .regex(/^(all|[1-9]\d{0,17})$/, 'must be "all" or the id of a tag')
    .default('all')
    .meta({ description: 'Only tickets with this tag', examples: ['1'] }),
  snoozed: z
    .enum(['all', 'hidden', 'only'])
    .default('all')
    .meta({ description: 'hidden: without snoozed tickets; only: only these' }),
  q: z
    .string()
    .refine(
      (q) => [...q.trim()].length <= MAX_QUERY_LENGTH,
      `must have at most ${MAX_QUERY_LENGTH} characters`,
    )
    .optional()
    .meta({
      maxLength: MAX_QUERY_LENGTH,
      description:
        'The id of a ticket or trader; otherwise words, each of which must be in the subject, the trader’s name ' +
        'or email, or any message. A word that begins with # is matched against the number.',
      examples: ['withdrawal'],
    }),
  sort: TicketSort.default('queue').register(fieldErrorCodes, { code: 'invalid_sort' }).meta({
    description:
      'queue: tickets that wait for the team first, the most urgent and longest waiting at the top; next_due_at: those whose next SLA target is due first',
  }),
  limit: Limit,
  starting_after: z
    .string()
    .optional()
    .register(fieldErrorCodes, { code: 'invalid_cursor' })
    .meta({
      description: '`next_cursor` of the previous page, with the same `sort`',
      examples: ['<next_cursor>'],
    }),
});
export type ListTicketsInput = z.infer<typeof ListTicketsInput>;

export const TicketPage = pageOf(Ticket);
export type TicketPage = z.infer<typeof TicketPage>;

export const TicketRef = z.object({ ticket: idOf('ticket') });

/** A page of a conversation, newest message first. `starting_after` is the id of the last message. */
export const ListTicketMessagesInput = TicketRef.extend({
  limit: Limit,
  starting_after: idOf('ticketMessage').optional().register(fieldErrorCodes, { code: 'invalid_cursor' }),
});
export const TicketMessagePage = pageOf(TicketMessage);

/** The agents and teams to whom tickets can be assigned, and the tags that tickets can have. The wire calls it `desk`. */
export const SupportDirectory = z.object({
  object: z.literal('desk'),
  /** Those who may see tickets. Only those who may also answer can be assigned. */
  agents: z.array(Agent.extend({ email: z.string(), may_answer: z.boolean() })),
  teams: z.array(Team.extend({ members: z.array(idOf('user')) })),
  tags: z.array(TicketTag),
  macros: z.array(z.object({ id: idOf('macro'), name: z.string() })),
  articles: z.array(z.object({ id: idOf('article'), title: z.string() })),
});
export type SupportDirectory = z.infer<typeof SupportDirectory>;

/** `fresh`: counts now instead of answering what was counted some seconds ago, as after an own change. */
export const CountTicketsInput = z.object({ fresh: z.boolean().default(false) }).prefault({});
export type CountTicketsInput = z.output<typeof CountTicketsInput>;

/** The number of tickets in each group of the queue without snoozed ones, and of snoozed ones, a few seconds old. A number above {@link MAX_TICKET_COUNT} means "more". */
export const TicketCounts = z.object({
  object: z.literal('ticket_counts'),
  waiting: z.int(),
  ai: z.int(),
  trader: z.int(),
  ended: z.int(),
  snoozed: z.int(),
});
export type TicketCounts = z.infer<typeof TicketCounts>;
