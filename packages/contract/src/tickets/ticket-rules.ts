import * as z from 'zod';
import { foldSearchText } from '../texts/fold-search-text.ts';
import { ruleProperties } from '../values/enumerations.ts';
import { Language, Timestamp, VisibleLine, VisibleText } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';
import {
  MAX_MACRO_TEXT,
  MAX_RULE_ACTIONS,
  MAX_RULE_CONDITIONS,
  MAX_RULE_MINUTES,
  MAX_RULE_NAME,
  MAX_RULE_WORDS,
} from '../values/limits.ts';
import { BulkChangeAction } from './bulk-changes.ts';
import { TicketFilter } from './ticket-filter.ts';
import { readChoice } from './ticket-filter-rules.ts';
import { ProfilePointer } from './traders.ts';

export const RuleProperty = z.enum(ruleProperties);
export type RuleProperty = z.infer<typeof RuleProperty>;

/**
 * What starts a rule. `ticket_arrived`: the trader opened a ticket; `trader_wrote`: the trader wrote again; `waiting`: for so long, a ticket
 * has awaited the team or the trader, and neither has written.
 */
export const RuleTrigger = z.discriminatedUnion('on', [
  z.object({ on: z.literal('ticket_arrived') }),
  z.object({ on: z.literal('trader_wrote') }),
  z.object({ on: z.literal('property_changed'), property: RuleProperty }),
  z.object({
    on: z.literal('waiting'),
    for: z.enum(['team', 'trader']),
    minutes: z.int().min(1).max(MAX_RULE_MINUTES),
  }),
  z.object({ on: z.literal('sla_warned') }),
  z.object({ on: z.literal('sla_breached') }),
]);
export type RuleTrigger = z.infer<typeof RuleTrigger>;

/** The filters of the ticket list that do not depend on who reads it, or on a search. */
const RuleFilter = TicketFilter.omit({
  q: true,
  from: true,
  before: true,
  after: true,
  language: true,
}).refine(({ assignee }) => !readChoice(assignee)?.values.includes('me'), {
  path: ['assignee'],
  message: 'must not be "me": a rule runs for nobody',
});

const NUMBER = /^-?\d{1,15}(\.\d{1,9})?$/;

/** A field of the trader's profile, or a place in its data, and what it must be. */
export const ProfileCondition = z
  .object({
    field: z.union([z.enum(['country', 'verification', 'timezone']), ProfilePointer]),
    is: z.enum(['equal', 'not_equal', 'at_least', 'at_most']),
    value: VisibleLine.max(MAX_RULE_NAME),
  })
  .refine(({ is, value }) => is === 'equal' || is === 'not_equal' || NUMBER.test(value), {
    path: ['value'],
    message: 'must be a number',
  });
export type ProfileCondition = z.infer<typeof ProfileCondition>;

/**
 * All must hold. `words`: one of them is in the message of the trader, in the subject, or in the trader's name or address. `languages`: the
 * trader's is one of them.
 */
export const RuleConditions = z.object({
  filter: RuleFilter.prefault({}),
  words: z
    .array(VisibleLine.max(MAX_RULE_NAME))
    .max(MAX_RULE_CONDITIONS)
    .refine(
      (texts) => foldSearchText(texts.join(' ')).split(' ').length <= MAX_RULE_WORDS,
      `must have at most ${MAX_RULE_WORDS} single words in all`,
    )
    .default([]),
  languages: z.array(Language.max(35)).max(MAX_RULE_CONDITIONS).default([]),
  profile: z.array(ProfileCondition).max(MAX_RULE_CONDITIONS).default([]),
});
export type RuleConditions = z.infer<typeof RuleConditions>;

/** What a rule does: a change as in bulk, or more. */
export const RuleAction = z.discriminatedUnion('set', [
  ...BulkChangeAction.options,
  /** Sends the macro's text to the trader, in the firm's name, and makes its changes. */
  z.object({ set: z.literal('macro'), macro: idOf('macro') }),
  z.object({ set: z.literal('note'), body: VisibleText.max(MAX_MACRO_TEXT) }),
  /** Null: those to whom the ticket is assigned. */
  z.object({ set: z.literal('notification'), agent: idOf('user').nullable() }),
  /** Hands the ticket to the assistant, or from it to the team. */
  z.object({ set: z.literal('assistant'), enabled: z.boolean() }),
]);
export type RuleAction = z.infer<typeof RuleAction>;

export const CreateRuleInput = z.object({
  name: VisibleLine.max(MAX_RULE_NAME),
  enabled: z.boolean().default(true),
  trigger: RuleTrigger,
  conditions: RuleConditions.prefault({}),
  actions: z.array(RuleAction).min(1).max(MAX_RULE_ACTIONS),
  /** Whether the later rules do not run after it. */
  stops: z.boolean().default(false),
});
export const RuleRef = z.object({ id: idOf('ticketRule') });
/** All fields are replaced. */
export const UpdateRuleInput = CreateRuleInput.extend({ id: idOf('ticketRule') });
/** `before`: the rule that follows afterwards; null for the end of the list. */
export const MoveRuleInput = RuleRef.extend({ before: idOf('ticketRule').nullable() });

/** A rule of the firm for its tickets. */
export const TicketRule = z.object({
  object: z.literal('ticket_rule'),
  id: idOf('ticketRule'),
  name: z.string(),
  enabled: z.boolean(),
  trigger: RuleTrigger,
  conditions: RuleConditions,
  actions: z.array(RuleAction),
  stops: z.boolean(),
  /** Who last saved it. */
  author: z.object({ id: idOf('user'), name: z.string() }),
  /** Why the service has switched it off; null if it has not. */
  paused_because: z.string().nullable(),
  created_at: Timestamp,
});
export type TicketRule = z.infer<typeof TicketRule>;

/** The firm's rules, in the order in which they run. */
export const TicketRules = z.object({ object: z.literal('ticket_rules'), rules: z.array(TicketRule) });
export type TicketRules = z.infer<typeof TicketRules>;

export const PreviewRuleInput = z.object({ trigger: RuleTrigger, conditions: RuleConditions.prefault({}) });

/** Which of the firm's latest tickets a rule would have run for, as they are now. */
export const RulePreview = z.object({
  object: z.literal('rule_preview'),
  /** How many tickets were compared. */
  compared: z.int(),
  matches: z.array(
    z.object({
      id: idOf('ticket'),
      number: z.string(),
      subject: z.string(),
      runs_at: Timestamp.nullable().meta({
        description:
          'Of a rule that time starts: when it first runs for the ticket as it is now; null if that time is over, which the rule then does not act on. Of other rules null',
      }),
    }),
  ),
});
export type RulePreview = z.infer<typeof RulePreview>;
