import { foldSearchText } from '@firmdesk/contract';
import type { StoredRule } from '../mail.entity.ts';
import { searchLines } from '../search/mail-search-text.ts';

export type RuleConditions = Pick<StoredRule, 'from' | 'to' | 'subject' | 'has_attachment'>;

/** Only this many characters of each of From, the recipients and the subject are looked at: a message can have 1,500 recipients. */
export const MAX_RULED_TEXT = 20_000;

/** What of a message the rules look at. */
export interface RuledMessage {
  /** Its search text, or the lines of it that {@link searchLines} names. */
  searchText: string;
  hasFiles: boolean;
}

/** What the rules of a mailbox do with a message. */
export interface RuleOutcome {
  folder: StoredRule['folder'];
  isRead: boolean;
  isStarred: boolean;
  tags: number[];
  /** The addresses that get a copy, each with the account in whose name. */
  forwards: { to: string; userId: string }[];
}

/** Returns whether a message has all that a rule wants. Texts are compared as in a search. */
export function matchesRule(
  { from, to, subject, has_attachment }: RuleConditions,
  { searchText, hasFiles }: RuledMessage,
): boolean {
  if (has_attachment && !hasFiles) return false;
  const lines = searchText.split('\n', Math.max(...Object.values(searchLines)));
  return Object.entries({ from, to, subject }).every(([field, wanted]) =>
    lines[searchLines[field as keyof typeof searchLines] - 1]
      ?.slice(0, MAX_RULED_TEXT)
      .includes(foldSearchText(wanted)),
  );
}

/** Runs rules one after the other. What a later one does comes on top, and of two that move the message, the later one decides. */
export function runRules(rules: readonly StoredRule[], message: RuledMessage): RuleOutcome {
  const matching = rules.filter((rule) => matchesRule(rule, message));
  const forwards = new Map<string, string>();
  for (const { forward_to, user_id } of matching)
    if (forward_to !== null && !forwards.has(forward_to.toLowerCase()))
      forwards.set(forward_to.toLowerCase(), user_id);
  return {
    folder: matching.findLast(({ folder }) => folder !== null)?.folder ?? null,
    isRead: matching.some(({ mark_read }) => mark_read),
    isStarred: matching.some(({ star }) => star),
    tags: [...new Set(matching.flatMap(({ add_tags }) => add_tags))],
    forwards: [...forwards].map(([to, userId]) => ({ to, userId })),
  };
}
