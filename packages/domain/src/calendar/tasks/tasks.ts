import { expand, type Occurrence, type Override, type Series, type Window } from '@firmdesk/recurrence';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import { toEventRows } from '../events/event-rows.ts';
import { type EventTimes, type OverrideColumns, seriesOf } from '../events/series.ts';
import { withNewerOverrides, withOverrides } from '../ics/ics-series.ts';
import { prepareDocument } from '../ics/prepare-document.ts';
import { readInvitation } from '../ics/read-invitation.ts';
import { nextReminderAt } from '../reminders/next-reminder-at.ts';
import { type Expandable, type ExpandedEvents, expandEvents } from '../window/expand-events.ts';

/** {@link ExpandedEvents} as a thread returns them: with the indexes of events and overrides. */
export interface ExpandedBatch extends Omit<ExpandedEvents<Expandable>, 'occurrences'> {
  occurrences: {
    event: number;
    override: number | null;
    recurrenceId: number | null;
    start: number;
    end: number;
  }[];
  spent: number;
}

/** The calendar's potentially expensive work. Each task is a pure function, which runs on the event loop or in a thread. */
export const tasks = {
  toEventRows,
  readInvitation,
  prepareDocument,
  withOverrides,
  withNewerOverrides,

  /** {@link expandEvents} with a budget. Also returns the steps taken. */
  expandBatch(events: readonly Expandable[], window: Window, limit: number, steps: number): ExpandedBatch {
    const budget = { steps };
    const indexOf = new Map(events.map((event, index) => [event, index]));
    const indexOfOverride = new Map(
      events.flatMap(
        ({ overrides }) => overrides?.map((override, index) => [override, index] as const) ?? [],
      ),
    );
    const { occurrences, ...expanded } = expandEvents(events, window, limit, budget);
    return {
      ...expanded,
      occurrences: occurrences.map(({ event, override, ...times }) => ({
        ...times,
        event: indexOf.get(event)!,
        override: override && indexOfOverride.get(override)!,
      })),
      spent: steps - budget.steps,
    };
  },

  /** Returns when each reminder of an event is due next. */
  nextRemindersAt(
    event: EventTimes,
    overrides: readonly OverrideColumns[] | null,
    reminders: readonly { minutesBefore: number; doneUntil: number }[],
    now: number,
  ): (number | null)[] {
    const series = seriesOf(event, overrides);
    return reminders.map(({ minutesBefore, doneUntil }) =>
      nextReminderAt(series, minutesBefore, doneUntil, now),
    );
  },

  /** Returns the index of the override of the occurrence that starts at an instant, or null if there is no such occurrence. */
  occurrenceAt(
    event: EventTimes,
    overrides: readonly OverrideColumns[] | null,
    start: number,
    recurrenceId: number | null,
  ): { override: number | null } | null {
    const found = startingAt(seriesOf(event, overrides), start).find(
      (occurrence) => recurrenceId === null || occurrence.recurrenceId === recurrenceId,
    );
    return found ? { override: found.override?.index ?? null } : null;
  },

  /** Returns the recurrence ids of the occurrences for which a reminder is due at `due`, and when it is due next. */
  advanceReminder(
    event: EventTimes,
    overrides: readonly OverrideColumns[] | null,
    { minutesBefore, due }: { minutesBefore: number; due: number },
    now: number,
  ): { occurrences: number[]; next: number | null } {
    const series = seriesOf(event, overrides);
    return {
      occurrences: startingAt(series, due + minutesBefore * MINUTE_MS).map(
        ({ recurrenceId }) => recurrenceId,
      ),
      next: nextReminderAt(series, minutesBefore, due, now),
    };
  },
};

function startingAt<O extends Override>(series: Series<O>, start: number): Occurrence<O>[] {
  const { occurrences } = expand(series, { from: start, until: start + 1 });
  return occurrences.filter((occurrence) => occurrence.start === start);
}

export type Tasks = typeof tasks;
