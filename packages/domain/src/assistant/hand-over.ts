import { type AssistantGuideSettings, foldSearchText, type TicketPriority } from '@firmdesk/contract';
import { sql } from 'kysely';

/** What decides whether an answer is left to the team. */
export interface HandOver {
  rules: AssistantGuideSettings['hand_over'];
  /** The trader's last message. */
  text: string | null;
  /** The replies of the assistant on the ticket. */
  replies: number;
}

/** Returns the column of a run with a {@link HandOver}: null for a command, and in a firm that has set none. */
export const handOverOf = (workspaceId: number) => sql`
  case when kind = 'answer' then (
    select json_build_object('rules', w.assistant_guide->'hand_over',
      'text', (select m.body from ticket_messages m
        where m.workspace_id = ${workspaceId} and m.ticket_id = assistant_runs.ticket_id and m.from_kind = 'trader'
        order by m.created_at desc, m.id desc limit 1),
      'replies', (select count(*) from ticket_messages m
        where m.workspace_id = ${workspaceId} and m.ticket_id = assistant_runs.ticket_id and m.from_kind = 'ai'
          and not m.internal and not m.streaming))
    from workspaces w where w.id = ${workspaceId} and w.assistant_guide is not null) end as hand_over`;

/** Returns why an answer is left to the team; null if the assistant gives it. */
export function reasonToHandOver(
  { rules, text, replies }: HandOver,
  { priority }: { priority: TicketPriority },
): string | null {
  if (rules.priorities.includes(priority)) return `the team answers tickets of the priority ${priority}`;
  if (rules.after_replies !== null && replies >= rules.after_replies)
    return `the team answers after ${rules.after_replies === 1 ? 'one reply' : `${rules.after_replies} replies`} of the assistant`;
  const folded = ` ${wordsOf(text ?? '')} `;
  const word = rules.words.find((one) => wordsOf(one) !== '' && folded.includes(` ${wordsOf(one)} `));
  return word === undefined ? null : `the trader wrote “${word}”`;
}

/** Returns the words of a text, as search folds them, without punctuation. */
function wordsOf(text: string): string {
  return foldSearchText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
