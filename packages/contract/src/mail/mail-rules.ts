import * as z from 'zod';
import { foldSearchText } from '../texts/fold-search-text.ts';
import { mailRuleFolders } from '../values/enumerations.ts';
import { Line } from '../values/fields.ts';
import { IntegerId } from '../values/ids.ts';
import { MAX_RULE_TAGS, MAX_RULE_TEXT } from '../values/limits.ts';
import { Email } from './email.ts';
import { MailListRow } from './mail.ts';

const Wanted = Line.max(MAX_RULE_TEXT).default('');

/** What a message must have, all of it: a text in a name or an address of From, or of To and Cc, or in the subject, and a file. An empty text: any. */
const conditions = {
  from: Wanted,
  to: Wanted,
  subject: Wanted,
  has_attachment: z.boolean().default(false),
};

/** What is done with a message when it arrives. */
const actions = {
  /** Tags of the firm, for its conversation. */
  add_tags: z.array(z.int()).max(MAX_RULE_TAGS).default([]),
  folder: z.enum(mailRuleFolders).nullable().default(null),
  mark_read: z.boolean().default(false),
  star: z.boolean().default(false),
  /** The address of another mailbox of the firm, which gets a copy. */
  forward_to: Email.nullable()
    .default(null)
    .meta({ examples: [null] }),
};

type Conditions = z.output<z.ZodObject<typeof conditions>>;
type Actions = z.output<z.ZodObject<typeof actions>>;

const hasCondition = ({ from, to, subject, has_attachment }: Conditions) =>
  has_attachment || [from, to, subject].some((text) => foldSearchText(text) !== '');
const NO_CONDITION = {
  path: ['from'],
  error: 'must not be empty, unless the rule has another condition',
};

const hasAction = ({ add_tags, folder, mark_read, star, forward_to }: Actions) =>
  add_tags.length > 0 || folder !== null || mark_read || star || forward_to !== null;

/** A rule for the mail that arrives in a mailbox. All who write from the mailbox share its rules. */
export const MailRule = z.object({
  id: z.uuid(),
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  has_attachment: z.boolean(),
  add_tags: z.array(IntegerId),
  folder: z.enum(mailRuleFolders).nullable(),
  mark_read: z.boolean(),
  star: z.boolean(),
  forward_to: z.string().nullable(),
});
export type MailRule = z.infer<typeof MailRule>;

/** The rules of a mailbox, in the order in which they run. Of two that move a message, the later one decides. */
export const MailRules = z.object({
  object: z.literal('mail_rules'),
  address_id: IntegerId,
  rules: z.array(MailRule),
});
export type MailRules = z.infer<typeof MailRules>;

export const ListRulesInput = z.object({ address_id: z.int() });

/** With `id` it replaces that rule; without, it adds a rule behind the others. */
export const SaveRuleInput = z
  .object({ address_id: z.int(), id: z.uuid().optional(), ...conditions, ...actions })
  .refine(hasCondition, NO_CONDITION)
  .refine(hasAction, { path: ['folder'], error: 'must be a folder, unless the rule has another action' });

/** `before`: the rule before which it runs; null: behind the others. */
export const MoveMailRuleInput = z.object({
  address_id: z.int(),
  id: z.uuid(),
  before: z
    .uuid()
    .nullable()
    .meta({ examples: [null] }),
});

export const DeleteRuleInput = z.object({ address_id: z.int(), id: z.uuid() });

export const TryRuleInput = z
  .object({ address_id: z.int(), ...conditions })
  .refine(hasCondition, NO_CONDITION);

/** Which of the newest received messages of a mailbox have what a rule wants. */
export const RuleTrial = z.object({
  object: z.literal('mail_rule_trial'),
  /** How many messages were looked at. */
  examined: z.int(),
  matched: z.int(),
  /** The newest of those that match. */
  messages: z.array(MailListRow),
});
export type RuleTrial = z.infer<typeof RuleTrial>;
