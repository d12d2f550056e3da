import type { ArticleRef, TicketStatus } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { Workspace } from '../access/workspaces/workspace.entity.ts';

/** A task of the assistant: a command of the team, or an answer to a trader's message. */
export const AssistantRunSchema = defineEntity({
  name: 'AssistantRun',
  tableName: 'assistant_runs',
  properties: {
    id: p.integer().columnType('bigint').primary().autoincrement(),
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    ticketId: p.text(),
    kind: p.text().$type<'command' | 'answer'>(),
    instruction: p.text().nullable(),
    /** The note with the command. */
    commandId: p.text().nullable(),
    /** The account that gave the command. */
    askedBy: p.text().nullable(),
    state: p.text().$type<'waiting' | 'running' | 'done' | 'failed'>().default('waiting'),
    /** Whether the firm's allowance covers the run. Otherwise it only writes a note that says so. */
    allowed: p.boolean().default(true),
    /** Incremented when a worker takes the run. Only the latest attempt may write. */
    attempt: p.integer().default(0),
    /** The length of the reply's part that is in the log, in UTF-16 units. */
    streamed: p.integer().default(0),
    /** The reply's message, from the first attempt on. */
    messageId: p.text().nullable(),
    /** The status that a failure restores, if the ticket has had no message since `lastMessageAt`. */
    statusBefore: p.text().$type<TicketStatus>(),
    lastMessageAt: p.datetime(3),
    /** Whether a command has replaced an answer to the trader: when it fails, the answer is requested again. */
    replacedAnswer: p.boolean().default(false),
    /** The articles on which the reply is based. */
    articles: p.json().$type<ArticleRef[]>().nullable(),
    createdAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
  },
});

/** How many replies a firm has used in a month. */
export const AssistantUsageSchema = defineEntity({
  name: 'AssistantUsage',
  tableName: 'assistant_usage',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    /** The first day of the month. */
    month: p.date(),
    used: p.integer().default(0),
    /** The replies of each day. */
    days: p.json().$type<Record<string, number>>().default('{}'),
  },
});
