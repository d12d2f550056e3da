import {
  CreateRuleInput,
  MoveRuleInput,
  PreviewRuleInput,
  RulePreview,
  RuleRef,
  TicketRule,
  TicketRules,
  UpdateRuleInput,
} from '@firmdesk/contract';
import { adminProcedure, NoInput, router } from '../../procedures/trpc.ts';
import { createRule, deleteRule, listRules, moveRule, previewRule, updateRule } from './edit-rules.ts';

const tag = 'Tickets';
const permissions = ['view_tickets', 'manage_settings'] as const;
const reading = { tag, scope: 'admin:read', permissions } as const;
const changing = { tag, scope: 'admin:write', permissions } as const;

export const rulesRouter = router({
  list: adminProcedure({
    ...reading,
    summary: 'List the firm’s rules for tickets',
    input: NoInput,
    output: TicketRules,
  }).query(({ ctx }) => listRules(ctx)),

  preview: adminProcedure({
    ...reading,
    summary: 'Compare a rule with the firm’s latest tickets, without changing them',
    input: PreviewRuleInput,
    output: RulePreview,
  }).query(({ ctx, input }) => previewRule(ctx, input)),

  create: adminProcedure({
    ...changing,
    summary: 'Create a rule for tickets',
    status: [201],
    errors: ['rule_limit_reached'],
    input: CreateRuleInput,
    output: TicketRule,
  }).mutation(({ ctx, input }) => createRule(ctx, input)),

  update: adminProcedure({
    ...changing,
    summary: 'Replace a rule',
    errors: ['resource_not_found'],
    input: UpdateRuleInput,
    output: TicketRule,
  }).mutation(({ ctx, input }) => updateRule(ctx, input)),

  move: adminProcedure({
    ...changing,
    summary: 'Move a rule in the firm’s order',
    errors: ['resource_not_found'],
    input: MoveRuleInput,
    output: TicketRules,
  }).mutation(({ ctx, input }) => moveRule(ctx, input)),

  delete: adminProcedure({
    ...changing,
    summary: 'Delete a rule',
    errors: ['resource_not_found'],
    input: RuleRef,
    output: TicketRules,
  }).mutation(({ ctx, input }) => deleteRule(ctx, input)),
});
