import type { Calendar, EventExtent } from '@firmdesk/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { trpc } from '../../api.ts';
import { callNowOrLater } from '../../outbox/calls.ts';
import { useAccount } from '../../session/account.ts';
import { reportError } from '../../shell/report-error.ts';
import { formError } from '../../ui/fields/field-errors.ts';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { CalendarField } from './calendar-field.tsx';
import { createEvent } from './create-event.ts';
import { EventFields, shownFields } from './event-fields.tsx';
import { changesOf, type EventDraft, type EventValues, valuesOf } from './event-form.ts';
import { timeZoneLabel } from './event-format.ts';
import { ExtentField } from './extent-field.tsx';

export type { EventDraft } from './event-form.ts';

/** Creates an event or edits one. */
export function EventDialog({
  draft,
  values,
  calendars,
  calendarId,
  onCalendar,
  onChange,
  onClose,
  onCancel,
  onSaved,
}: {
  draft: EventDraft;
  values: EventValues;
  calendars: Calendar[];
  /** The calendar of a new event. */
  calendarId: number;
  onCalendar(id: number): void;
  onChange(values: EventValues): void;
  onClose(): void;
  onCancel(): void;
  /** Called with the values that were saved, also when the dialog is closed. */
  onSaved(values: EventValues): void;
}) {
  const event = 'event' in draft ? draft.event : null;
  const { timezone } = useAccount().user;
  const [extent, setExtent] = useState<EventExtent>('this');
  const queries = useQueryClient();
  const isOneOfSeries = extent === 'this' && !!event?.is_recurring;
  const before = valuesOf(draft);
  // One occurrence has no rule, guests or conference of its own. Their fields, if they were changed before, are not shown.
  const { recurrence_rule, conference_url, guests } = before;
  const sentOf = (typed: EventValues) =>
    isOneOfSeries ? { ...typed, recurrence_rule, conference_url, guests } : typed;
  const isOpen = useIsMounted();
  const save = useMutation({
    async mutationFn(typed: EventValues) {
      const sent = sentOf(typed);
      if (!event) {
        await createEvent(sent, calendarId, timezone);
        return;
      }
      const { id, occurrence_start, is_recurring } = event;
      const which = { id, occurrence_start, extent: is_recurring ? extent : ('all' as const) };
      await callNowOrLater('calendar.change', { ...changesOf(event, sent), ...which });
    },
    onSuccess: (_saved, typed) => onSaved(typed),
    onError: (error, { title }) => isOpen.current || reportError(error, `Couldn’t save “${title}”`),
    onSettled: () => void queries.invalidateQueries(trpc.calendar.list.pathFilter()),
  });
  const isChanged = JSON.stringify(sentOf(values)) !== JSON.stringify(before);
  return (
    <FormDialog
      title={event ? 'Edit event' : 'New event'}
      description={timeZoneLabel(event?.timezone ?? timezone)}
      onClose={onClose}
      onCancel={onCancel}
      isKeptOpen={isChanged}
      problem={formError(save.error, shownFields)}
      submitLabel="Save"
      busyLabel="Saving…"
      isBusy={save.isPending}
      isDisabled={event !== null && !isChanged}
      // Not called when the dialog was closed meanwhile: another one may be open.
      onSubmit={() => save.mutate(values, { onSuccess: onClose })}
    >
      {event?.is_recurring && <ExtentField legend="Apply to" value={extent} onChange={setExtent} />}
      {!event && <CalendarField calendars={calendars} value={calendarId} onChange={onCalendar} />}
      <EventFields
        key={isOneOfSeries ? 'one' : 'all'}
        values={values}
        onChange={onChange}
        error={save.error}
        isNew={!event}
        isOneOfSeries={isOneOfSeries}
        zone={event?.timezone ?? timezone}
        eventId={event && event.id > 0 ? event.id : null}
      />
    </FormDialog>
  );
}

function useIsMounted() {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
