import type { Calendar, CalendarColor } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { fieldError, formError } from '../../ui/fields/field-errors.ts';
import { Switch } from '../../ui/fields/switch.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { calendarColors, colorHues } from './calendar-colors.ts';
import { hueStyle } from './calendars.ts';

/** Creates a calendar, or changes its name, its colour and what colleagues see. */
export function CalendarDialog({ calendar, onClose }: { calendar: Calendar | null; onClose(): void }) {
  const [name, setName] = useState(calendar?.name ?? '');
  const [color, setColor] = useState(calendar?.color ?? null);
  const [showsBusy, setShowsBusy] = useState<boolean | null>(null);
  const details = useQuery({
    ...trpc.calendar.calendarDetails.queryOptions({ calendar_id: calendar?.id ?? 0 }),
    enabled: calendar !== null,
  });
  const save = useMutation({
    mutationFn: () =>
      calendar
        ? client.calendar.updateCalendar.mutate({
            calendar_id: calendar.id,
            ...(name !== calendar.name && { name }),
            ...(color !== calendar.color && { color }),
            ...(showsBusy !== null && { shows_busy: showsBusy }),
          })
        : client.calendar.createCalendar.mutate({ name, color }),
    onSuccess: onClose,
    onSettled: () => queryClient.invalidateQueries(trpc.calendar.pathFilter()),
  });
  return (
    <FormDialog
      title={calendar ? `Change ${calendar.name}` : 'New calendar'}
      isKeptOpen
      onClose={onClose}
      problem={formError(save.error, ['name'])}
      submitLabel={calendar ? 'Save' : 'Create'}
      busyLabel="Saving…"
      isBusy={save.isPending}
      onSubmit={() => save.mutate()}
    >
      <TextField
        label="Name"
        required
        autoComplete="off"
        data-initial-focus
        maxLength={100}
        value={name}
        error={fieldError(save.error, 'name', 'The name')}
        onChange={({ target }) => setName(target.value)}
      />
      <ColorField color={color} onChange={setColor} />
      {calendar && (
        <Switch
          label="Colleagues see when you are busy"
          hint="Those who plan a meeting with you see that you have something at a time, not what. Whoever the calendar is shared with sees more."
          isOn={showsBusy ?? details.data?.shows_busy ?? true}
          isDisabled={!details.data}
          onChange={setShowsBusy}
        />
      )}
    </FormDialog>
  );
}

function ColorField({
  color,
  onChange,
}: {
  color: CalendarColor | null;
  onChange(color: CalendarColor | null): void;
}) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium">Colour</legend>
      <div className="flex flex-wrap items-center gap-1">
        {[null, ...calendarColors].map((each) => (
          <label
            key={each}
            title={each ?? 'Automatic'}
            style={each ? hueStyle(colorHues[each]) : undefined}
            className="in-hue inline-flex min-h-9 cursor-pointer items-center gap-1.5 rounded-md border border-transparent px-2 capitalize has-checked:border-line-strong has-checked:bg-selected has-focus-visible:outline-2 pointer-coarse:min-h-11"
          >
            <input
              type="radio"
              name="color"
              className="sr-only"
              checked={color === each}
              onChange={() => onChange(each)}
            />
            {each && <span aria-hidden="true" className="size-4 rounded-full bg-(--hue-edge)" />}
            {each ?? 'Automatic'}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
