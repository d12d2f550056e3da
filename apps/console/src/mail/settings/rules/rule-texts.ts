import type { MailRule } from '@firmdesk/contract';
import type { MailTag } from '../../changes/use-mail-changes.ts';
import { folderLabels } from '../../folders.ts';

/** Returns what a message must have, such as “From contains “bank”, has an attachment”. */
export function conditionsText({ from, to, subject, has_attachment }: MailRule): string {
  const texts = [
    ['from', from],
    ['to or Cc', to],
    ['subject', subject],
  ].flatMap(([field, text]) => (text === '' ? [] : [`${field} contains “${text}”`]));
  return sentence([...texts, ...(has_attachment ? ['has an attachment'] : [])]);
}

/** Returns what the rule does with it. */
export function actionsText(
  { add_tags, folder, mark_read, star, forward_to }: MailRule,
  tags: readonly MailTag[],
): string {
  const names = tags.filter(({ id }) => add_tags.includes(id)).map(({ name }) => name);
  return sentence([
    ...(names.length > 0 ? [`tag ${names.join(', ')}`] : []),
    ...(folder === null ? [] : [`move to ${folderLabels[folder].toLowerCase()}`]),
    ...(mark_read ? ['mark as read'] : []),
    ...(star ? ['star'] : []),
    ...(forward_to === null ? [] : [`forward to ${forward_to}`]),
  ]);
}

function sentence(parts: readonly string[]): string {
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
