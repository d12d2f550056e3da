import * as z from 'zod';
import { fieldErrorCodes, Limit, Line, pageOf, Timestamp } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';
import { MAX_QUERY_LENGTH } from '../values/limits.ts';
import { LastEventId } from '../values/live.ts';
import { Permission } from './access.ts';

/**
 * A member of the firm's team. `state`: `dismissed` ended the membership, `deactivated` the whole account, which an operator does.
 * `permissions`: those that count while the member is active. `last_used_at`: of a session or a key of the firm.
 */
export const Member = z.object({
  object: z.literal('member'),
  id: idOf('user'),
  name: z.string(),
  email: z.string(),
  avatar_url: z.string().nullable(),
  state: z.enum(['active', 'dismissed', 'deactivated']),
  permissions: z.array(Permission),
  created_at: Timestamp,
  last_used_at: Timestamp.nullable(),
});
export type Member = z.infer<typeof Member>;

/** The firm's team, sorted by name. */
export const Members = z.object({ data: z.array(Member) });

export const MemberRef = z.object({ id: idOf('user') });

/** `permissions` replaces those of the member. A caller gives only permissions that the caller holds. */
export const UpdateMemberInput = MemberRef.extend({ permissions: z.array(Permission).max(100) });

/** What ends for a member with the membership, and what the team then has to take over. */
export const MemberDismissal = z.object({
  object: z.literal('member_dismissal'),
  id: idOf('user'),
  /** Tickets that are assigned to the member and not ended. */
  tickets: z.int(),
  sessions: z.int(),
  api_keys: z.int(),
  mailboxes: z.int(),
  calendars: z.int(),
  teams: z.int(),
  /** Replies that were not sent yet. The team keeps them. */
  delayed_sends: z.int(),
});
export type MemberDismissal = z.infer<typeof MemberDismissal>;

/** `reassign_to`: the agent who gets the member's tickets that are not ended, null for nobody. Without it they stay assigned. */
export const DismissMemberInput = MemberRef.extend({ reassign_to: idOf('user').nullable().optional() });

/** `bulk_change`: the change that assigns the tickets in the background; null if there is none. */
export const MemberDismissed = z.object({
  object: z.literal('member_dismissed'),
  id: idOf('user'),
  bulk_change: idOf('bulkChange').nullable(),
});

/** A trader of the firm. */
export const FirmTrader = z.object({
  object: z.literal('trader'),
  id: idOf('user'),
  name: z.string(),
  email: z.string(),
  created_at: Timestamp,
});
export type FirmTrader = z.infer<typeof FirmTrader>;

/** `q`: words, each a part of the name or the address. The cursor belongs to its sort. By default those come first who were added last. */
export const ListFirmTradersInput = z.object({
  q: Line.max(MAX_QUERY_LENGTH).optional(),
  sort: z
    .enum(['-created_at', 'created_at', 'name', '-name'])
    .default('-created_at')
    .register(fieldErrorCodes, { code: 'invalid_sort' }),
  limit: Limit,
  starting_after: z.string().max(4_000).optional().register(fieldErrorCodes, { code: 'invalid_cursor' }),
});
export const FirmTraderPage = pageOf(FirmTrader);

export const StreamFirmInput = z.object({ lastEventId: LastEventId });

export const FirmStreamEvent = z.discriminatedUnion('type', [
  /** Fetch that part of the settings again. */
  z.object({
    type: z.literal('firm.changed'),
    what: z.enum([
      'settings',
      'members',
      'invites',
      'teams',
      'tags',
      'mailboxes',
      'keys',
      'webhooks',
      'rules',
      'assignment',
      'data',
    ]),
  }),
  z.object({ type: z.literal('resync') }),
]);
export type FirmStreamEvent = z.infer<typeof FirmStreamEvent>;
