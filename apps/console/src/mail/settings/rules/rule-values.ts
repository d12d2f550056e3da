import type { MailRule } from '@firmdesk/contract';

/** The fields of the dialog of a rule. */
export type RuleValues = Omit<MailRule, 'id' | 'forward_to'> & { forward_to: string };

export const newRule: RuleValues = {
  from: '',
  to: '',
  subject: '',
  has_attachment: false,
  add_tags: [],
  folder: null,
  mark_read: false,
  star: false,
  forward_to: '',
};

export function valuesOfRule({ id: _, forward_to, ...rule }: MailRule): RuleValues {
  return { ...rule, forward_to: forward_to ?? '' };
}
