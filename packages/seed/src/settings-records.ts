/** The records of an import file about how a firm works, and what is stored beside mailboxes, members and tickets. */
import {
  AssignmentMode,
  CreateArticleInput,
  CreateRuleInput,
  CreateTicketViewInput,
  CreateWebhookEndpointInput,
  DraftMacros,
  idOf,
  MailboxSettings,
  type NotificationTopic,
  notificationChannels,
  notificationTopics,
  SaveMailTemplateInput,
  Slug,
  TicketViewSearch,
  unsentReasons,
} from '@firmdesk/contract';
import { z } from 'zod';
import { EmailAddress, Key, Line, list, maybe, NonEmptyText, Text, Timestamp } from './fields.ts';

/** Whose mail to an address opens tickets. */
const TicketSenders = z.enum(['members', 'anyone']);

/** The automatic answer of a mailbox. `author`: in whose name it is sent. */
const Absence = z.strictObject({ ...MailboxSettings.shape.absence.shape, author: Key });

/** What a mailbox has beside its address and its members. */
export const mailboxSettings = {
  tickets: maybe(TicketSenders),
  aliases: list(z.strictObject({ email: EmailAddress, tickets: maybe(TicketSenders) })),
  signature: MailboxSettings.shape.signature.default(''),
  absence: maybe(Absence),
};

/** What a member has set for itself in the firm. */
export const memberSettings = {
  /** Whether tickets are assigned to the member automatically, and at most how many. */
  available: z.boolean().default(true),
  ticket_limit: maybe(z.int().positive().max(2_147_483_647)),
  /** The channels that are off for a kind or a reason of notifications. */
  muted: list(
    z.strictObject({
      kind: z.enum(notificationTopics as [NotificationTopic, ...NotificationTopic[]]),
      channels: z.array(z.enum(notificationChannels)).min(1),
    }),
  ),
};

export const teamSettings = { assignment: AssignmentMode.default('off') };

const Written = {
  text: Text,
  html: maybe(NonEmptyText),
  image_url: Text.default(''),
  image_name: Text.default(''),
  /** Like those of a rule, its macros, tags and people are named by their ids. */
  macros: maybe(DraftMacros),
};

/** What belongs to a ticket beside its conversation: what was written and not sent, who follows it, how the trader rated it, and its snooze. */
export const ticketParts = {
  drafts: list(
    z.strictObject({ user: Key, mode: z.enum(['reply', 'note']), ...Written, updated_at: Timestamp }),
  ),
  unsent_replies: list(
    z.strictObject({
      id: maybe(idOf('ticketMessage')),
      author: Key,
      ...Written,
      reason: z.enum(unsentReasons),
      written_at: Timestamp,
      unsent_at: Timestamp,
    }),
  ),
  followers: list(z.strictObject({ user: Key, since: Timestamp })),
  rating: maybe(
    z.strictObject({
      asked_at: maybe(Timestamp),
      score: maybe(z.int().min(1).max(5)),
      comment: Text.default(''),
      rated_at: maybe(Timestamp),
    }),
  ),
  /** Without `until` it lasts until the trader writes. */
  snooze: maybe(z.strictObject({ since: Timestamp, until: maybe(Timestamp) })),
  /** When the last snooze ended, while nobody has answered since. */
  woken_at: maybe(Timestamp),
};

/** A wording of mail that the firm has written. */
export const MailTemplateRecord = z.strictObject({ firm: Slug, ...SaveMailTemplateInput.shape });

export const ArticleRecord = z.strictObject({
  key: Key,
  id: maybe(idOf('article')),
  firm: Slug,
  ...CreateArticleInput.shape,
  updated_at: maybe(Timestamp),
});

/** Where a firm's events are sent. The file has no secret: the import makes a new one. */
export const WebhookRecord = z.strictObject({
  key: Key,
  id: maybe(idOf('webhookEndpoint')),
  firm: Slug,
  ...CreateWebhookEndpointInput.shape,
  disabled: maybe(z.enum(['member', 'failing'])),
  created_at: maybe(Timestamp),
});

/** A rule for tickets, in the order of its firm. It names tags, teams, macros and people by their ids, which those records keep. */
export const TicketRuleRecord = z.strictObject({
  key: Key,
  id: maybe(idOf('ticketRule')),
  firm: Slug,
  author: Key,
  ...CreateRuleInput.shape,
  paused_because: maybe(Line),
  created_at: maybe(Timestamp),
});

/** A saved view of a member or of a team. Like a rule, it names tags, teams and people by their ids. */
export const TicketViewRecord = z
  .strictObject({
    key: Key,
    id: maybe(idOf('ticketView')),
    firm: Slug,
    user: maybe(Key),
    team: maybe(Key),
    name: Text.pipe(CreateTicketViewInput.shape.name),
    search: z.strictObject(TicketViewSearch.shape),
    created_at: maybe(Timestamp),
  })
  .refine(({ user, team }) => (user == null) !== (team == null), {
    path: ['user'],
    error: 'must be set, or else `team`',
  });

/** A link between two tickets. `follows`: the ticket was opened after the other had ended, about the same. */
export const TicketLinkRecord = z
  .strictObject({
    firm: Slug,
    ticket: Key,
    other: Key,
    relation: z.enum(['linked', 'follows']).default('linked'),
    created_at: maybe(Timestamp),
  })
  .refine(({ ticket, other }) => ticket !== other, { path: ['other'], error: 'must be another ticket' });

/** A ticket that was merged into another one, which has its messages since. */
export const TicketMergeRecord = z.strictObject({ firm: Slug, ticket: Key, into: Key });

/** An invitation by mail that has ended: an older message about it is ignored. */
export const EndedInvitationRecord = z.strictObject({
  firm: Slug,
  user: Key,
  uid: NonEmptyText,
  /** The occurrence that has ended; omitted for the whole event. */
  occurrence: maybe(
    z.strictObject({
      time: z.strictObject({
        isDate: z.boolean(),
        text: Text,
        zone: Text,
        date: Text,
        isInstant: z.boolean(),
      }),
      thisAndFuture: z.boolean(),
    }),
  ),
  sender: Text,
  organizer: maybe(Text),
  sequence: z.int(),
  stamp: maybe(Timestamp),
  ended_at: Timestamp,
});
