import type { AnswerInvitationInput, CalendarEvent, DeleteEventInput } from '@firmdesk/contract';
import { outbox } from '../../outbox/outbox.ts';
import { offerUndo, UNDO_MS } from '../../shell/undo.ts';
import { type EventValues, fieldsOf, valuesOf } from './event-form.ts';

/** Answers an invitation. A declined one leaves the calendar. */
export function answerInvitation(input: AnswerInvitationInput): void {
  outbox().add({ kind: 'call', procedure: 'calendar.answer', input });
}

/** A deletion waits a little longer than its undo is offered, so that an undo in the last moment comes before it. */
const MARGIN_MS = 2_000;

/**
 * Deletes one occurrence of an event, that and all following ones, or the whole event. It is shown as deleted at once, and sent when
 * it can no longer be undone. If the window is closed before, the next one sends it.
 */
export function deleteEvent(
  { id, occurrence_start, title }: CalendarEvent,
  extent: DeleteEventInput['extent'],
): void {
  const key = outbox().add({
    kind: 'call',
    procedure: 'calendar.delete',
    input: { id, occurrence_start, extent, title },
    notBefore: Date.now() + UNDO_MS + MARGIN_MS,
  });
  offerUndo(`“${title}” deleted`, async () => ((await outbox().drop(key)) ? 'undone' : 'late'));
}

/** Gives an event that does not repeat new times, and offers to undo it. */
export function moveEvent(event: CalendarEvent, values: EventValues): void {
  const { id, title } = event;
  const change = (fields: ReturnType<typeof timesOf>) =>
    outbox().add({
      kind: 'call',
      procedure: 'calendar.change',
      input: { id, occurrence_start: null, extent: 'all', title, ...fields },
    });
  const key = change(timesOf(values));
  offerUndo(
    `“${title}” moved`,
    async () => {
      if (await outbox().drop(key)) return 'undone';
      change(timesOf(valuesOf({ event })));
      return 'started';
    },
    { of: key },
  );
}

function timesOf(values: EventValues) {
  const { starts_at, ends_at } = fieldsOf(values);
  return { starts_at, ends_at };
}
