import type { MessageAuthor, TicketPriority, TicketStatus } from '@firmdesk/contract';
import { newId, type Services, withTransaction } from '@firmdesk/domain';
import { messageSearchText, ticketSearchText } from '@firmdesk/domain/import';
import { NEVER_DUE, type WorkspaceRef } from '@firmdesk/domain/testing';
import { type TestUser, unique } from './accounts.ts';

export interface CreateTicketInput {
  firm: WorkspaceRef;
  trader: TestUser;
  id?: string;
  subject?: string;
  status?: TicketStatus;
  priority?: TicketPriority;
  aiEnabled?: boolean;
  aiBlocked?: boolean;
  assignee?: TestUser;
  team?: number;
  tags?: number[];
  unread?: number;
  lastFrom?: MessageAuthor;
  lastMessageAt?: Date;
  traderWroteAt?: Date;
  nextDueAt?: Date;
  createdAt?: Date;
  messages?: { from?: MessageAuthor; body: string; internal?: boolean; at?: Date }[];
}

/** Creates a ticket as an import would: its state is that of the input and does not depend on its messages. Returns its id. */
export function createTicket(services: Services, input: CreateTicketInput): Promise<string> {
  return withTransaction(services, async ({ db, now }) => {
    const createdAt = input.createdAt ?? now;
    const id = input.id ?? newId('ticket', createdAt);
    const { status = 'open' } = input;
    const trader = await db
      .selectFrom('users')
      .select(['name', 'email'])
      .where('id', '=', input.trader.id)
      .executeTakeFirstOrThrow();
    const subject = input.subject ?? 'Payout question';
    await db
      .insertInto('tickets')
      .values({
        id,
        workspace_id: input.firm.id,
        trader_id: input.trader.id,
        subject,
        status,
        priority: input.priority ?? 'normal',
        ai_enabled: input.aiEnabled ?? true,
        ai_blocked: input.aiBlocked ?? false,
        assignee_id: input.assignee?.id ?? null,
        team_id: input.team ?? null,
        unread: input.unread ?? 0,
        last_from: input.lastFrom ?? null,
        last_message_at: input.lastMessageAt ?? createdAt,
        trader_wrote_at: input.traderWroteAt ?? createdAt,
        created_at: createdAt,
        next_due_at: input.nextDueAt ?? new Date(NEVER_DUE),
        closed_at: status === 'resolved' || status === 'closed' ? (input.lastMessageAt ?? createdAt) : null,
        search_text: ticketSearchText(subject, trader),
      })
      .execute();
    for (const message of input.messages ?? []) {
      const at = message.at ?? createdAt;
      await db
        .insertInto('ticket_messages')
        .values({
          id: newId('ticketMessage', at),
          ticket_id: id,
          workspace_id: input.firm.id,
          from_kind: message.from ?? 'trader',
          author: trader.name,
          body: message.body,
          internal: message.internal ?? false,
          streaming: false,
          via_email: false,
          created_at: at,
          search_text: messageSearchText(message.body),
        })
        .execute();
    }
    for (const tag of input.tags ?? []) {
      await db
        .insertInto('ticket_tags')
        .values({ workspace_id: input.firm.id, ticket_id: id, tag_id: tag })
        .execute();
    }
    return id;
  });
}

/** Creates a team with members. Returns its id. */
export function createTeam(
  services: Services,
  input: { firm: WorkspaceRef; name?: string; members?: TestUser[] },
): Promise<number> {
  return withTransaction(services, async ({ db, now }) => {
    const workspace_id = input.firm.id;
    const team = await db
      .insertInto('teams')
      .values({ workspace_id, name: input.name ?? unique('Team'), created_at: now.toISOString() })
      .returning('id')
      .executeTakeFirstOrThrow();
    const members = (input.members ?? []).map(({ id }) => ({ workspace_id, team_id: team.id, user_id: id }));
    if (members.length > 0) await db.insertInto('team_members').values(members).execute();
    return team.id;
  });
}

/** Creates a tag. Returns its id. */
export function createTag(
  services: Services,
  input: { firm: WorkspaceRef; name?: string; color?: string },
): Promise<number> {
  return withTransaction(services, async ({ db, now }) => {
    const { id } = await db
      .insertInto('tags')
      .values({
        workspace_id: input.firm.id,
        name: input.name ?? unique('tag'),
        color: input.color ?? '#2266aa',
        created_at: now.toISOString(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}
