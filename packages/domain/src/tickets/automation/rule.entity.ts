import type { RuleAction, RuleConditions, RuleTrigger } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { Workspace } from '../../access/workspaces/workspace.entity.ts';
import type { RuleEvent } from './rule-event-writes.ts';

/** A rule of a firm for its tickets. */
export const TicketRuleSchema = defineEntity({
  name: 'TicketRule',
  tableName: 'ticket_rules',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    id: p.text().primary(),
    position: p.integer(),
    name: p.text(),
    isOn: p.boolean(),
    trigger: p.json().$type<RuleTrigger>(),
    conditions: p.json().$type<RuleConditions>(),
    actions: p.json().$type<RuleAction[]>(),
    /** Whether the later rules do not run after it. */
    stops: p.boolean(),
    /** The account that last saved it. */
    authorId: p.text(),
    /** Why it has switched itself off. */
    pausedBecause: p.text().nullable(),
    createdAt: p.datetime(3),
  },
});
export class TicketRule extends TicketRuleSchema.class {}
TicketRuleSchema.setClass(TicketRule);

/** What happened to a ticket, until the rules have run for it. */
export const RuleEventSchema = defineEntity({
  name: 'RuleEvent',
  tableName: 'rule_events',
  properties: {
    id: p.integer().columnType('bigint').primary().autoincrement(),
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    ticketId: p.text(),
    kind: p.text().$type<RuleEvent['on']>(),
    body: p.json(),
    /** The rules that caused it. */
    chain: p.array().columnType('text[]'),
    /** When it happened, or will. */
    dueAt: p.datetime(3),
  },
});

/** How many effects the firm's rules have had in an hour. */
export const RuleUsageSchema = defineEntity({
  name: 'RuleUsage',
  tableName: 'rule_usage',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    hour: p.datetime(0),
    effects: p.integer(),
  },
});
