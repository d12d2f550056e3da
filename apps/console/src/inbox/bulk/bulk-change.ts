import { asFirmdeskError, newIdempotencyKey } from '@firmdesk/client';
import {
  BULK_UNDO_SECONDS,
  type BulkChange,
  type BulkChangeAction,
  type SupportDirectory,
  type TicketFilter,
} from '@firmdesk/contract';
import { client, queryClient, trpc } from '../../api.ts';
import { announce } from '../../shell/announcer.tsx';
import { reportError } from '../../shell/report-error.ts';
import { offerUndo, type UndoResult, withdrawUndo } from '../../shell/undo.ts';
import { priorityLabels, ticketStatusLabels } from '../../tickets/properties/ticket-labels.ts';
import { clearSelection, type Selection } from '../list/selection.ts';
import type { InboxSearch } from '../search/inbox-search.ts';
import { shownBulkChange } from './shown-bulk-change.ts';

/** Starts a bulk change of the selected tickets. They stay selected if that fails. */
export async function startBulkChange(
  selection: Selection,
  search: InboxSearch,
  action: BulkChangeAction,
  name: string,
): Promise<void> {
  const ids = [...selection.ids];
  const { sort: _, ...filter } = search;
  try {
    const started = await client.tickets.bulkChanges.start.mutate(
      selection.isAll
        ? { filter: filter as Partial<TicketFilter>, except: ids, action }
        : { tickets: ids, action },
      { context: { idempotencyKey: newIdempotencyKey() } },
    );
    clearSelection();
    shownBulkChange().set(started.id);
    offerUndo(`${ticketCount(started.tickets)}: ${name}`, () => startUndo(started.id), {
      of: started.id,
      hasButton: true,
    });
  } catch (error) {
    reportError(error, 'Couldn’t change the tickets');
  }
}

export async function undoBulkChange(id: string): Promise<void> {
  if ((await startUndo(id)) === 'started') announce('Undoing the change');
}

async function startUndo(id: string): Promise<UndoResult> {
  try {
    const undoing = await client.tickets.bulkChanges.undo.mutate({ id });
    queryClient.setQueryData(trpc.tickets.bulkChanges.get.queryKey({ id }), undoing);
    void queryClient.invalidateQueries({ queryKey: trpc.tickets.bulkChanges.stopped.queryKey() });
    shownBulkChange().set(id);
    withdrawUndo(id);
    return 'started';
  } catch (error) {
    reportError(error, 'Couldn’t undo the change');
    return 'failed';
  }
}

/** Returns whether the error means that the bulk change is no longer stored. */
export function isForgotten(error: unknown): boolean {
  return asFirmdeskError(error).status === 404;
}

export function isRunning({ state }: BulkChange): boolean {
  return state === 'running' || state === 'undoing';
}

/** Returns for how many ms more a bulk change can be undone; 0 or less if it cannot. */
export function undoMs({ state, ended_at, changed }: BulkChange, now: number): number {
  // One that was stopped can be undone as long as it is stored.
  if (state === 'running' || (state === 'stopped' && changed > 0)) return Number.POSITIVE_INFINITY;
  if (state !== 'done' || changed === 0) return 0;
  return Date.parse(ended_at ?? '') + BULK_UNDO_SECONDS * 1_000 - now;
}

export function ticketCount(count: number): string {
  return count === 1 ? '1 ticket' : `${count.toLocaleString('en')} tickets`;
}

/** Returns what an action does, for messages: `priority high`. */
export function describeAction(action: BulkChangeAction, directory: SupportDirectory | undefined): string {
  switch (action.set) {
    case 'assignee': {
      const agent = directory?.agents.find(({ id }) => id === action.assignee);
      return action.assignee === null ? 'unassigned' : `assigned to ${agent?.name ?? 'an agent'}`;
    }
    case 'team': {
      const team = directory?.teams.find(({ id }) => id === action.team);
      return action.team === null ? 'removed from their team' : `moved to ${team?.name ?? 'a team'}`;
    }
    case 'priority':
      return `priority ${priorityLabels[action.priority].toLowerCase()}`;
    case 'status':
      return ticketStatusLabels[action.status].label.toLowerCase();
    case 'add_tag':
    case 'remove_tag': {
      const tag = directory?.tags.find(({ id }) => id === action.tag)?.name ?? 'a tag';
      return action.set === 'add_tag' ? `tag ${tag} added` : `tag ${tag} removed`;
    }
  }
}

/** Returns the question before an action on many tickets, and its verb: `Add tag VIP to 19 tickets?`. `count` null: all that match. */
export function askAction(
  action: BulkChangeAction,
  directory: SupportDirectory | undefined,
  count: number | null,
): { question: string; verb: string } {
  const tickets = count === null ? 'all matching tickets' : ticketCount(count);
  const named = (entries: readonly { id: string | number; name: string }[] = [], id: string | number) =>
    entries.find((entry) => entry.id === id)?.name;
  switch (action.set) {
    case 'assignee':
      if (action.assignee === null) return { question: `Unassign ${tickets}?`, verb: 'Unassign' };
      return {
        question: `Assign ${tickets} to ${named(directory?.agents, action.assignee) ?? 'this agent'}?`,
        verb: 'Assign',
      };
    case 'team':
      if (action.team === null) return { question: `Remove ${tickets} from their team?`, verb: 'Remove' };
      return {
        question: `Move ${tickets} to ${named(directory?.teams, action.team) ?? 'this team'}?`,
        verb: 'Move',
      };
    case 'priority':
      return {
        question: `Set the priority of ${tickets} to ${priorityLabels[action.priority].toLowerCase()}?`,
        verb: 'Set priority',
      };
    case 'status': {
      if (action.status === 'resolved') return { question: `Resolve ${tickets}?`, verb: 'Resolve' };
      if (action.status === 'closed') return { question: `Close ${tickets}?`, verb: 'Close' };
      const { label } = ticketStatusLabels[action.status];
      return { question: `Set ${tickets} to “${label}”?`, verb: 'Set status' };
    }
    case 'add_tag':
    case 'remove_tag': {
      const tag = named(directory?.tags, action.tag) ?? 'this tag';
      return action.set === 'add_tag'
        ? { question: `Add tag ${tag} to ${tickets}?`, verb: 'Add tag' }
        : { question: `Remove tag ${tag} from ${tickets}?`, verb: 'Remove tag' };
    }
  }
}
