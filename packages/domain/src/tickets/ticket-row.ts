import type { MessageAuthor, Ticket, TicketPriority, TicketStatus } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { avatarUrl, selectAvatar } from '../access/accounts/avatar.ts';
import type { Services } from '../platform/services.ts';

/** A ticket with the fields of contract §2.5 and the sort values for cursors. */
export interface TicketRow {
  id: string;
  number: string;
  subject: string;
  status: TicketStatus;
  priority: TicketPriority;
  ai_enabled: boolean;
  ai_blocked: boolean;
  unread: number;
  last_from: MessageAuthor | null;
  last_message_at: string;
  created_at: string;
  closed_at: string | null;
  /** The ticket that this one was merged into. */
  merged_into: string | null;
  /** Null if it is not snoozed. */
  snoozed_at: string | null;
  /** Null also for a snooze until the trader writes. */
  snoozed_until: string | null;
  woken_at: string | null;
  first_response_due_at: string | null;
  resolution_due_at: string | null;
  /** The earlier of both, or a time after all due times. */
  next_due_at: string;
  queue_rank: number;
  queue_key: number;
  queue_tie: string;
  urgency: number;
  trader_id: string;
  trader_name: string;
  trader_email: string;
  /** See `selectAvatar`. */
  trader_avatar: string | null;
  trader_deleted: boolean;
  assignee_id: string | null;
  assignee_name: string | null;
  assignee_avatar: string | null;
  team_id: number | null;
  team_name: string | null;
  tags: Ticket['tags'] | null;
}

/** The columns of a {@link TicketRow} that need no join. */
export const TICKET_COLUMNS = [
  'id',
  'number',
  'subject',
  'status',
  'priority',
  'ai_enabled',
  'ai_blocked',
  'unread',
  'last_from',
  'last_message_at',
  'created_at',
  'closed_at',
  'merged_into',
  'snoozed_at',
  'snoozed_until',
  'woken_at',
  'first_response_due_at',
  'resolution_due_at',
  'next_due_at',
  'queue_rank',
  'queue_key',
  'queue_tie',
  'urgency',
] as const satisfies readonly (keyof TicketRow)[];

interface TicketSelection {
  /** The firm's id. */
  firm: RawBuilder<unknown>;
  /** A statement that selects columns of `tickets t`, among them those named here and those of the joins. */
  chosen: RawBuilder<unknown>;
  /** Its `order by` list, which the joins would not keep. */
  order?: string;
  /** Further columns of the chosen tickets. */
  more?: readonly string[];
  /** Further expressions on `t`. */
  columns?: RawBuilder<unknown>;
}

/** Returns a statement that selects {@link TicketRow}s. */
export function selectTicketRows({
  firm,
  chosen,
  order,
  more = [],
  columns,
}: TicketSelection): RawBuilder<TicketRow> {
  return sql`
    select ${sql.raw([...TICKET_COLUMNS, ...more].map((column) => `t.${column}`).join(', '))},
      u.id as trader_id, u.name as trader_name, u.email as trader_email, ${sql.raw(selectAvatar('u'))} as trader_avatar,
      u.deleted_at is not null as trader_deleted,
      a.id as assignee_id, a.name as assignee_name, ${sql.raw(selectAvatar('a'))} as assignee_avatar,
      m.id as team_id, m.name as team_name, l.tags${columns ? sql`, ${columns}` : sql``}
    from (${chosen}) t
    join users u on u.id = t.trader_id
    left join users a on a.id = t.assignee_id
    left join teams m on m.workspace_id = ${firm} and m.id = t.team_id
    left join lateral (
      select json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color) order by lower(g.name), g.id) as tags
      from ticket_tags x
      join tags g on g.workspace_id = ${firm} and g.id = x.tag_id and g.deleted_at is null
      where x.workspace_id = ${firm} and x.ticket_id = t.id
    ) l on true
    ${order ? sql`order by ${sql.raw(order)}` : sql``}`;
}

/** Returns the ticket in the form of contract §2.5. */
export function toTicket({ services }: { services: Pick<Services, 'publicUrl'> }, row: TicketRow): Ticket {
  return ticketOf(row, (avatar) => avatarUrl(services, avatar));
}

/** Returns the ticket with the URLs of its avatars. */
export function withAvatarUrls(services: Pick<Services, 'publicUrl'>, ticket: Ticket): Ticket {
  const { trader, assignee } = ticket;
  return {
    ...ticket,
    trader: { ...trader, avatar_url: avatarUrl(services, trader.avatar_url) },
    assignee: assignee && { ...assignee, avatar_url: avatarUrl(services, assignee.avatar_url) },
  };
}

/**
 * Returns the ticket in the form of contract §2.5, but with avatars as `selectAvatar` selects them. Events are stored so: a worker
 * does not know the gateway's URL.
 */
export function toStoredTicket(row: TicketRow): Ticket {
  return ticketOf(row, (avatar) => avatar);
}

function ticketOf(row: TicketRow, avatarOf: (avatar: string | null) => string | null): Ticket {
  return {
    object: 'ticket',
    id: row.id,
    number: `#${row.number}`,
    subject: row.subject,
    status: row.status,
    priority: row.priority,
    ai_enabled: row.ai_enabled,
    ai_blocked: row.ai_blocked,
    unread: row.unread,
    last_from: row.last_from,
    last_message_at: row.last_message_at,
    created_at: row.created_at,
    closed_at: row.closed_at,
    snoozed: row.snoozed_at !== null,
    snoozed_until: row.snoozed_until,
    woken_at: row.woken_at,
    first_response_due_at: row.first_response_due_at,
    resolution_due_at: row.resolution_due_at,
    trader: {
      id: row.trader_id,
      name: row.trader_name,
      email: row.trader_email,
      avatar_url: avatarOf(row.trader_avatar),
      deleted: row.trader_deleted,
    },
    assignee:
      row.assignee_id === null
        ? null
        : { id: row.assignee_id, name: row.assignee_name!, avatar_url: avatarOf(row.assignee_avatar) },
    team: row.team_id === null ? null : { id: row.team_id, name: row.team_name! },
    tags: row.tags ?? [],
    action_url: ticketPath(row.id),
  };
}

/** Returns the path of a ticket's page in the console. */
export function ticketPath(id: string): string {
  return `/tickets/${id}`;
}
