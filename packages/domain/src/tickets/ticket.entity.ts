import type {
  AssignmentMode,
  Attachment,
  MessageAuthor,
  TicketPriority,
  TicketStatus,
} from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../access/accounts/user.entity.ts';
import { Workspace } from '../access/workspaces/workspace.entity.ts';

export const TeamSchema = defineEntity({
  name: 'Team',
  tableName: 'teams',
  properties: {
    id: p.integer().primary().autoincrement(),
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    name: p.text(),
    assignment: p.text().$type<AssignmentMode>().default('off'),
    createdAt: p.datetime(3),
  },
});
export class Team extends TeamSchema.class {}
TeamSchema.setClass(Team);

export const TeamMemberSchema = defineEntity({
  name: 'TeamMember',
  tableName: 'team_members',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    teamId: p.integer().primary(),
    userId: p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
  },
});
export class TeamMember extends TeamMemberSchema.class {}
TeamMemberSchema.setClass(TeamMember);

/** A support ticket (contract §2.5). The database derives the columns for its position in the queue (migration 0005). */
export const TicketSchema = defineEntity({
  name: 'Ticket',
  tableName: 'tickets',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    id: p.text().primary(),
    traderId: p.manyToOne(User).mapToPk().fieldName('trader_id'),
    subject: p.text(),
    status: p.text().$type<TicketStatus>(),
    priority: p.text().$type<TicketPriority>().default('normal'),
    aiEnabled: p.boolean().default(true),
    aiBlocked: p.boolean().default(false),
    assigneeId: p.manyToOne(User).mapToPk().nullable().fieldName('assignee_id'),
    teamId: p.integer().nullable(),
    /** The number of messages of the trader and the assistant that the team has not read. */
    unread: p.integer().default(0),
    /** Author and date of the last message that the trader sees; null and `createdAt` without messages. */
    lastFrom: p.text().$type<MessageAuthor>().nullable(),
    lastMessageAt: p.datetime(3),
    /** When the trader last wrote, else `createdAt` (queue order, contract §4.7). */
    traderWroteAt: p.datetime(3),
    createdAt: p.datetime(3),
    closedAt: p.datetime(3).nullable(),
    /** The ticket that this one was merged into. */
    mergedInto: p.text().nullable(),
    snoozedAt: p.datetime(3).nullable(),
    snoozedUntil: p.datetime(3).nullable(),
    wokenAt: p.datetime(3).nullable(),
    /** The clock of the SLA (`sla/ticket-clock.ts`), and what follows from it. */
    waitingSince: p.datetime(3).nullable(),
    waitedSeconds: p.integer().default(0),
    firstRespondedAt: p.datetime(3).nullable(),
    firstResponseSeconds: p.integer().nullable(),
    firstResponseWarned: p.boolean().default(false),
    resolutionWarned: p.boolean().default(false),
    firstResponseDueAt: p.datetime(3).nullable(),
    resolutionDueAt: p.datetime(3).nullable(),
    nextDueAt: p.datetime(3).defaultRaw(`'9999-12-31 00:00+00'`),
    dueWarningAt: p.datetime(3).nullable(),
    /** Subject, trader's name and email, folded for search. */
    searchText: p.text().lazy(),
    /** Whether the search text is not in the postings yet. A change of the text sets it (`search-index.ts`). */
    searchPending: p.boolean().default(true).lazy(),
    /** The number of the ticket in postings; null until it is indexed. */
    searchNumber: p.integer().nullable().lazy(),
  },
});
export class Ticket extends TicketSchema.class {}
TicketSchema.setClass(Ticket);

export const TicketMessageSchema = defineEntity({
  name: 'TicketMessage',
  tableName: 'ticket_messages',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    id: p.text().primary(),
    ticketId: p.text(),
    from: p.text().$type<MessageAuthor>().fieldName('from_kind'),
    authorId: p.manyToOne(User).mapToPk().nullable().fieldName('author_id'),
    /** The author's display name at the time of writing. */
    author: p.text(),
    body: p.text(),
    /** The body with formatting, cleaned; null without. */
    bodyHtml: p.text().nullable(),
    imageUrl: p.text().nullable(),
    imageName: p.text().nullable(),
    attachments: p.json().$type<Attachment[]>().default('[]'),
    internal: p.boolean().default(false),
    streaming: p.boolean().default(false),
    viaEmail: p.boolean().default(false),
    event: p.text().nullable(),
    /** The ids of the colleagues whom a note mentions. */
    mentions: p.array().nullable(),
    /** The macros from which a reply was written. */
    macroIds: p.array().nullable(),
    /** The articles on which a reply of the assistant is based. */
    articleIds: p.array().nullable(),
    readAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    /** The body, folded for search. */
    searchText: p.text().lazy(),
    /** As {@link TicketSchema}'s. */
    searchPending: p.boolean().default(true).lazy(),
  },
});
export class TicketMessage extends TicketMessageSchema.class {}
TicketMessageSchema.setClass(TicketMessage);

export const TicketTagSchema = defineEntity({
  name: 'TicketTag',
  tableName: 'ticket_tags',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    ticketId: p.text().primary(),
    tagId: p.integer().primary(),
  },
});
export class TicketTag extends TicketTagSchema.class {}
TicketTagSchema.setClass(TicketTag);
