import { newIdempotencyKey } from '@firmdesk/client';
import type { Calendar, EventExtent } from '@firmdesk/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client, trpc } from '../api.ts';
import { isUnreachable } from '../outbox/calls.ts';
import { outbox } from '../outbox/outbox.ts';
import { useAccount } from '../session/account.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField } from '../ui/field.tsx';
import { formError } from '../ui/field-errors.ts';
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
      const { procedure, input } = callOf();
      const idempotencyKey = newIdempotencyKey();
      const call = client.calendar[procedure] as { mutate(input: object, options: object): Promise<unknown> };
      try {
        // Directly, so that the dialog shows the service's errors.
        if (navigator.onLine) return await call.mutate(input, { context: { idempotencyKey } });
      } catch (error) {
        if (!isUnreachable(error)) throw error;
      }
      outbox().add({ kind: 'call', procedure: `calendar.${procedure}`, input, key: idempotencyKey });
    },
    onSuccess: onClose,
    onSettled: () => void queries.invalidateQueries(trpc.calendar.list.pathFilter()),
  });
  const callOf = () => {
    if (!event) {
      const input = { ...fieldsOf(values), calendar_id: calendarId, timezone };
      return { procedure: 'create', input } as const;
    }
    const { id, occurrence_start, is_recurring } = event;
    const which = { id, occurrence_start, extent: is_recurring ? extent : 'all' };
    return { procedure: 'change', input: { ...changesOf(event, values), ...which } } as const;
  };
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault();
    save.mutate();
  };
  const formMessage = formError(save.error, shownFields);
  const isChanged = JSON.stringify(values) !== JSON.stringify(valuesOf(draft));
  return (
    <Dialog
      title={event ? 'Edit event' : 'New event'}
      description={timeZoneLabel(event?.timezone ?? timezone)}
      isOpen
      onOpenChange={onClose}
      {...(isChanged && { isKeptOpen: true })}
    >
      <form onSubmit={submit} noValidate className="space-y-4">
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
        {formMessage && (
          <p role="alert" className="rounded-md bg-danger-surface px-3 py-2 text-danger">
            {formMessage}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" disabled={save.isPending || (!!event && !isChanged)}>
            {save.isPending ? 'Saving…' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
