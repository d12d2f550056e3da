import {
  DeleteRuleInput,
  ListRulesInput,
  MailRules,
  MoveMailRuleInput,
  RuleTrial,
  SaveRuleInput,
  TRIED_MESSAGES,
  TryRuleInput,
} from '@firmdesk/contract';
import { accountProcedure, router } from '../../procedures/trpc.ts';
import { tryRule } from './try-rule.ts';
import { deleteRule, listRules, moveRule, saveRule } from './write-rules.ts';

const reading = { tag: 'Mail', scope: 'mail:read', errors: ['resource_not_found'] } as const;
const writing = { ...reading, scope: 'mail:write' } as const;

/** The rules for the mail that arrives in a mailbox from which the caller may write. Only typed. */
export const rulesRouter = router({
  list: accountProcedure({
    ...reading,
    summary: 'List the rules of a mailbox, in the order in which they run',
    input: ListRulesInput,
    output: MailRules,
  }).query(({ ctx, input }) => listRules(ctx, input)),

  save: accountProcedure({
    ...writing,
    summary: 'Add a rule to a mailbox, or replace one',
    input: SaveRuleInput,
    output: MailRules,
  }).mutation(({ ctx, input }) => saveRule(ctx, input)),

  move: accountProcedure({
    ...writing,
    summary: 'Move a rule among those of its mailbox',
    input: MoveMailRuleInput,
    output: MailRules,
  }).mutation(({ ctx, input }) => moveRule(ctx, input)),

  delete: accountProcedure({
    ...writing,
    summary: 'Delete a rule of a mailbox',
    input: DeleteRuleInput,
    output: MailRules,
  }).mutation(({ ctx, input }) => deleteRule(ctx, input)),

  try: accountProcedure({
    ...reading,
    summary: `Return which of the newest ${TRIED_MESSAGES} received messages of a mailbox a rule would match`,
    input: TryRuleInput,
    output: RuleTrial,
  }).query(({ ctx, input }) => tryRule(ctx, input)),
});
