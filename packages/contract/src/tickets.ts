import * as z from 'zod';
import { Attachment, MessageAttachments } from './attachments.ts';
import { Email } from './email.ts';
import { fieldErrorCodes, Limit, pageOf, Timestamp } from './fields.ts';
import { ID_BODY, IntegerId, idOf, idPrefixes, SeenMessageId } from './ids.ts';

export const ticketStatuses = ['open', 'awaiting_admin', 'awaiting_trader', 'resolved', 'closed'] as const;
export const TicketStatus = z.enum(ticketStatuses).meta({
  description:
    'open: the assistant answers; awaiting_admin: waits for the team; resolved and closed are final',
});
export type TicketStatus = z.infer<typeof TicketStatus>;

/** Most urgent first. */
export const ticketPriorities = ['urgent', 'high', 'normal', 'low'] as const;
export const TicketPriority = z.enum(ticketPriorities).meta({ description: 'Set by the team' });
export type TicketPriority = z.infer<typeof TicketPriority>;

export const messageAuthors = ['trader', 'admin', 'ai', 'system'] as const;
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
export const LinkedTicket = Ticket.pick({ id: true, number: true, subject: true, status: true });
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
  mentions: z
    .array(idOf('user'))
    .optional()
    .meta({
      description: 'The ids of the colleagues whom a note mentions; absent if there are none',
      examples: [['usr_01kar9x4z8c5m7p2t6v3wbqdhj']],
    }),
});
export type TicketMessage = z.infer<typeof TicketMessage>;

export const ticketSorts = ['queue', '-last_message_at', '-created_at', 'created_at', '-priority'] as const;
export const TicketSort = z.enum(ticketSorts);
export type TicketSort = z.infer<typeof TicketSort>;

/** The groups in which the ticket list can be filtered (contract §4.7). */
export const ticketGroups = ['waiting', 'open', 'ai', 'trader', 'ended', 'all'] as const;
export type TicketGroup = (typeof ticketGroups)[number];

/** The statuses of each group, for the filters of the service and of the console. */
export const ticketGroupStatuses: Readonly<Record<TicketGroup, readonly TicketStatus[]>> = {
  waiting: ['awaiting_admin'],
  open: ['open', 'awaiting_admin', 'awaiting_trader'],
  ai: ['open'],
  trader: ['awaiting_trader'],
  ended: ['resolved', 'closed'],
  all: ticketStatuses,
};

/** Maximum length of `q`, in code points without surrounding white space. */
export const MAX_QUERY_LENGTH = 100;

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
      'queue: tickets that wait for the team first, the most urgent and longest waiting at the top',
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

/** Maximum length of a message, in UTF-16 units. */
export const MAX_MESSAGE_LENGTH = 20_000;
export const MAX_SUBJECT_LENGTH = 300;
export const MAX_TICKET_TAGS = 20;

const MessageBody = z
  .string()
  .max(MAX_MESSAGE_LENGTH)
  .refine((body) => body.trim() !== '', 'must not be empty');

const Subject = z
  .string()
  .max(MAX_SUBJECT_LENGTH)
  .refine((subject) => subject.trim() !== '', 'must not be empty');
/** What is changed with a reply, in one go. The tags are added to those of the ticket. */
export const ReplyActions = z.object({
  add_tags: z.array(IntegerId).max(MAX_TICKET_TAGS).default([]),
  status: z.enum(['awaiting_admin', 'resolved', 'closed']).nullable().default(null),
  priority: TicketPriority.nullable().default(null),
  assignee: idOf('user').nullable().default(null),
});
export type ReplyActions = z.infer<typeof ReplyActions>;

/** Maximum number of macros in one reply. */
export const MAX_REPLY_MACROS = 10;

/** The text and the files of a message of the team. One of them can be empty. */
const messageContent = {
  body: z.string().max(MAX_MESSAGE_LENGTH),
  attachments: MessageAttachments,
};
const hasContent = ({ body, attachments }: { body: string; attachments: readonly string[] }) =>
  body.trim() !== '' || attachments.length > 0;
const withoutContent = { path: ['body'], error: 'must not be empty' };

/** A reply to the trader. An image is named by the URL at which it is stored already; a file is uploaded before. */
export const ReplyInput = TicketRef.extend({
  ...messageContent,
  image_url: z.httpUrl('must be an http or https URL').max(2000).nullable().default(null),
  image_name: z.string().max(255).nullable().default(null),
  seen_message_id: SeenMessageId,
  actions: ReplyActions.optional(),
  /** The macros in the reply, which count it. */
  macros: z.array(idOf('macro')).max(MAX_REPLY_MACROS).optional(),
}).refine(hasContent, withoutContent);

/** For this many seconds a held reply is not sent, and its author can take it back. */
export const HOLD_SECONDS = 10;

/** A reply that is sent at `send_at`. The message then has this id. */
export const HeldReply = z.object({
  object: z.literal('held_reply'),
  id: idOf('ticketMessage'),
  ticket_id: idOf('ticket'),
  send_at: Timestamp,
});
export type HeldReply = z.infer<typeof HeldReply>;

export const HeldReplyRef = TicketRef.extend({ id: idOf('ticketMessage') });

export const ReplyTakenBack = z.object({ object: z.literal('reply_taken_back'), id: idOf('ticketMessage') });

/** The number of colleagues whom one note can mention. */
export const MAX_MENTIONS = 20;

/** A note for the team. The colleagues in `mentions` are notified: agents of the firm, whose names are in the text. */
export const NoteInput = TicketRef.extend({
  ...messageContent,
  seen_message_id: SeenMessageId,
  mentions: z.array(idOf('user')).max(MAX_MENTIONS).default([]),
}).refine(hasContent, withoutContent);

/** Whether the caller is notified of each new message of the trader. */
export const FollowTicketInput = TicketRef.extend({ following: z.boolean() });
export const TicketFollowing = z.object({
  object: z.literal('ticket_following'),
  ticket_id: idOf('ticket'),
  following: z.boolean(),
});
export type TicketFollowing = z.infer<typeof TicketFollowing>;

/** Omitted fields stay unchanged; null removes the agent or the team. */
export const AssignInput = TicketRef.extend({
  assignee: idOf('user').nullable().optional(),
  team: IntegerId.nullable().optional(),
});

export const SetPriorityInput = TicketRef.extend({ priority: TicketPriority });

/** The new tags of the ticket, which replace the old ones. */
export const SetTagsInput = TicketRef.extend({ tags: z.array(IntegerId).max(MAX_TICKET_TAGS) });

/** The statuses that the team may set. A ticket becomes `open` by switching the assistant on. */
export const SetStatusInput = TicketRef.extend({
  status: z.enum(['awaiting_admin', 'awaiting_trader', 'resolved', 'closed']),
});

/** For this many seconds after a ticket was resolved or closed, that can be undone. */
export const UNDO_SECONDS = 15;

/** The status that the ticket had before it was resolved or closed. */
export const UndoEndInput = TicketRef.extend({
  status: z.enum(['open', 'awaiting_admin', 'awaiting_trader']),
});

/** A ticket for a member of the firm, opened by an agent. A reply awaits the trader; a note awaits the team. */
export const StartTicketInput = z.object({
  to: Email.meta({ description: 'The trader’s address' }),
  subject: Subject,
  body: MessageBody,
  kind: z.enum(['reply', 'note']),
  priority: TicketPriority.default('normal'),
  assignee: idOf('user').nullable().default(null),
  team: IntegerId.nullable().default(null),
});

export const TicketStarted = z.object({
  object: z.literal('ticket_started'),
  ticket: Ticket,
  message: TicketMessage,
});

/** A ticket can be linked with at most this many. */
export const MAX_TICKET_LINKS = 50;

export const LinkTicketsInput = TicketRef.extend({ other: idOf('ticket') });

/** The links of a ticket after a change, latest first. */
export const TicketLinks = z.object({
  object: z.literal('ticket_links'),
  ticket_id: idOf('ticket'),
  links: z.array(LinkedTicket),
});
export type TicketLinks = z.infer<typeof TicketLinks>;

/** A ticket with more messages cannot be merged into another. */
export const MAX_MERGED_MESSAGES = 5_000;

/** `ticket` is merged into `into`, a ticket of the same trader. */
export const MergeTicketsInput = TicketRef.extend({ into: idOf('ticket') });

/** A snooze ends at most this many days ahead. */
export const MAX_SNOOZE_DAYS = 366;

/** Without a time, the ticket is snoozed until the trader writes. */
export const SnoozeInput = TicketRef.extend({ until: Timestamp.nullable().meta({ examples: [null] }) });

export const SwitchAssistantInput = TicketRef.extend({ enabled: z.boolean() });
export const BlockAssistantInput = TicketRef.extend({ blocked: z.boolean() });

/** The firm's assistant. `used`: the replies requested in this calendar month (UTC), of `monthly_allowance`. */
export const AssistantSettings = z.object({
  object: z.literal('assistant_settings'),
  enabled_for_team: z.boolean(),
  monthly_allowance: z.int().min(0),
  used: z.int().min(0),
});
export type AssistantSettings = z.infer<typeof AssistantSettings>;

export const UpdateAssistantInput = z.object({
  enabled_for_team: z.boolean().optional(),
  monthly_allowance: z.int().min(0).max(1_000_000).optional(),
});

/** The agents and teams to whom tickets can be assigned, and the tags that tickets can have. The wire calls it `desk`. */
export const SupportDirectory = z.object({
  object: z.literal('desk'),
  agents: z.array(Agent),
  teams: z.array(Team.extend({ members: z.array(idOf('user')) })),
  tags: z.array(TicketTag),
});
export type SupportDirectory = z.infer<typeof SupportDirectory>;

/** Tickets are counted up to this number. */
export const MAX_TICKET_COUNT = 10_000;

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
