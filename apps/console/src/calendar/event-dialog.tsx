import type { Calendar, EventExtent } from '@firmdesk/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../api.ts';
import { callNowOrLater } from '../outbox/calls.ts';
import { useAccount } from '../session/account.ts';
import { SelectField } from '../ui/field.tsx';
import { formError } from '../ui/field-errors.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { isWritable } from './calendars.ts';
import { EventFields, shownFields } from './event-fields.tsx';
import { changesOf, type EventDraft, fieldsOf, valuesOf } from './event-form.ts';
import { timeZoneLabel } from './event-format.ts';
import { ExtentField } from './extent-field.tsx';

export type { EventDraft } from './event-form.ts';

/** Creates an event or edits one. */
export function EventDialog({
  draft,
  calendars,
  onClose,
}: {
  draft: EventDraft;
  calendars: Calendar[];
  onClose(): void;
}) {
  const event = 'event' in draft ? draft.event : null;
  const { timezone } = useAccount().user;
  const writable = calendars.filter(isWritable);
  const [values, setValues] = useState(() => valuesOf(draft));
  const [calendarId, setCalendarId] = useState(event?.calendar_id ?? writable[0]?.id ?? 0);
  const [extent, setExtent] = useState<EventExtent>('this');
  const queries = useQueryClient();
  const save = useMutation({
    async mutationFn() {
      if (!event) {
        await callNowOrLater('calendar.create', { ...fieldsOf(values), calendar_id: calendarId, timezone });
        return;
      }
      const { id, occurrence_start, is_recurring } = event;
      const which = { id, occurrence_start, extent: is_recurring ? extent : ('all' as const) };
      await callNowOrLater('calendar.change', { ...changesOf(event, values), ...which });
    },
    onSuccess: onClose,
    onSettled: () => void queries.invalidateQueries(trpc.calendar.list.pathFilter()),
  });
  const isChanged = JSON.stringify(values) !== JSON.stringify(valuesOf(draft));
  return (
    <FormDialog
      title={event ? 'Edit event' : 'New event'}
      description={timeZoneLabel(event?.timezone ?? timezone)}
      onClose={onClose}
      isKeptOpen={isChanged}
      problem={formError(save.error, shownFields)}
      submitLabel="Save"
      busyLabel="Saving…"
      isBusy={save.isPending}
      isDisabled={event !== null && !isChanged}
      onSubmit={save.mutate}
    >
      {event?.is_recurring && <ExtentField legend="Apply to" value={extent} onChange={setExtent} />}
      {!event && (
        <SelectField
          label="Calendar"
          value={calendarId}
          onChange={({ target }) => setCalendarId(Number(target.value))}
        >
          {writable.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <EventFields
        values={values}
        onChange={setValues}
        error={save.error}
        isOneOfSeries={extent === 'this' && !!event?.is_recurring}
      />
    </FormDialog>
  );
}
