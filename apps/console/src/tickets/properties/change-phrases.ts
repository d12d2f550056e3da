import type { TicketHistoryEntry, TicketPropertyChange } from '@firmdesk/contract';
import { LOCALE } from '../../ui/time/time.ts';
import { isEnded, priorityLabels, ticketStatusLabels } from './ticket-labels.ts';

const list = new Intl.ListFormat(LOCALE, { type: 'conjunction' });

/** Returns the name that a line of the history begins with. */
export function authorName({ author, reason }: TicketHistoryEntry): string {
  if (reason?.kind === 'rule') return `The rule “${reason.name}”`;
  if (reason?.kind === 'assignment') return assignmentReasons[reason.mode];
  return author?.name ?? 'The assistant';
}

const assignmentReasons = {
  round_robin: 'Automatic assignment (in turn)',
  least_loaded: 'Automatic assignment (fewest tickets)',
  knows_trader: 'Automatic assignment (knows the trader)',
};

const effectPhrases = { note: 'added a note', macro: 'sent a macro', notification: 'notified the team' };

/** Returns what the author of several entries did, as it follows the name: "assigned this to Ben Best". */
export function phraseOf(entries: readonly TicketHistoryEntry[]): string {
  return list.format(
    entries.flatMap(({ author, changes }) =>
      changes.flatMap((change) => phrasesOf(change, author?.id ?? null)),
    ),
  );
}

function phrasesOf(change: TicketPropertyChange, author: string | null): string[] {
  switch (change.property) {
    case 'status':
      if (change.after === 'resolved') return ['resolved this'];
      if (change.after === 'closed') return ['closed this'];
      return [
        `${isEnded(change.before) ? 'reopened this with the status' : 'changed the status to'} ${ticketStatusLabels[change.after].label}`,
      ];
    case 'priority':
      return [`set the priority to ${priorityLabels[change.after]}`];
    case 'assignee':
      if (change.after === null) return [`unassigned ${change.before?.name ?? 'this'}`];
      return [`assigned this to ${change.after.id === author ? 'themselves' : change.after.name}`];
    case 'team':
      if (change.after === null) return [`removed this from the team ${change.before?.name ?? ''}`.trim()];
      return [`moved this to the team ${change.after.name}`];
    case 'tags':
      return [...tagPhrase('added', change.added), ...tagPhrase('removed', change.removed)];
    case 'assistant':
      return [`switched the assistant ${change.after ? 'on' : 'off'}`];
    case 'assistant_blocked':
      return [`${change.after ? 'blocked' : 'unblocked'} the assistant`];
    case 'merged_into':
      return [`merged this into ${change.ticket.number}`];
    case 'merged_from':
      return [`merged ${change.ticket.number} into this`];
    case 'rule_effect':
      return [effectPhrases[change.effect]];
  }
}

function tagPhrase(verb: string, tags: readonly { name: string }[]): string[] {
  if (tags.length === 0) return [];
  return [`${verb} the ${tags.length === 1 ? 'tag' : 'tags'} ${list.format(tags.map(({ name }) => name))}`];
}
