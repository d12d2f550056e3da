import type { Calendar } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { toast } from '../../shell/toast.ts';
import { formError } from '../../ui/fields/field-errors.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { isWritable } from './calendars.ts';

/** Deletes a calendar, says what becomes of its events, and asks where they go. */
export function DeleteCalendarDialog({
  calendar,
  calendars,
  onClose,
}: {
  calendar: Calendar;
  calendars: readonly Calendar[];
  onClose(): void;
}) {
  const [target, setTarget] = useState<number | null>(null);
  const { data } = useQuery(trpc.calendar.calendarDetails.queryOptions({ calendar_id: calendar.id }));
  const others = calendars.filter((each) => each.id !== calendar.id && isWritable(each));
  const remove = useMutation(
    trpc.calendar.deleteCalendar.mutationOptions({
      onSuccess() {
        toast.success(`${calendar.name} deleted`);
        onClose();
      },
      onSettled: () => queryClient.invalidateQueries(trpc.calendar.pathFilter()),
    }),
  );
  const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
  const readers =
    data && data.shares.length > 0 ? counted(data.shares.length, 'colleague', 'colleagues') : '';
  return (
    <FormDialog
      title={`Delete ${calendar.name}?`}
      description={`${data ? counted(data.events, 'event is', 'events are') : 'Its events are'} in it. This can’t be undone.`}
      onClose={onClose}
      problem={formError(remove.error, [])}
      submitLabel={target === null ? 'Delete with its events' : 'Move events and delete'}
      busyLabel="Deleting…"
      isBusy={remove.isPending}
      isDisabled={!data}
      onSubmit={() => remove.mutate({ calendar_id: calendar.id, move_events_to: target })}
    >
      <SelectField
        label="Its events"
        value={target}
        choices={[[null, 'Are deleted'], ...others.map(({ id, name }) => [id, `Move to ${name}`] as const)]}
        onValue={setTarget}
      />
      {target === null && data && data.meetings > 0 && (
        <p>
          The guests of {counted(data.meetings, 'meeting', 'meetings')} to come get a cancellation by mail.
        </p>
      )}
      {readers && <p>{readers} can’t see it any more.</p>}
    </FormDialog>
  );
}
