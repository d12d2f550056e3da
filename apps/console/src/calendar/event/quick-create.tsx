import type { Calendar } from '@firmdesk/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Popover } from 'radix-ui';
import { type FormEvent, useRef } from 'react';
import { trpc } from '../../api.ts';
import { useAccount } from '../../session/account.ts';
import { Button } from '../../ui/button.tsx';
import { FormError, TextField } from '../../ui/fields/field.tsx';
import { fieldError, formError } from '../../ui/fields/field-errors.ts';
import { focusUnread, useFocusInvalid } from '../../ui/fields/focus-invalid.ts';
import { useOverlayFocus } from '../../ui/overlays/overlay-focus.ts';
import { LOCALE } from '../../ui/time/time.ts';
import { TimeField } from '../../ui/time/time-field.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { msOf } from '../views/days.ts';
import { CalendarField } from './calendar-field.tsx';
import { createEvent } from './create-event.ts';
import { type EventValues, movedStart } from './event-form.ts';

const dayName = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});

/** Marks where a new event will be in the calendar. */
const NEW_EVENT_PLACE = '[data-new-event]';

/** In the view of a day, which is wide, the form is beside the title. */
const MAX_PLACE_PX = 200;

/** On a phone, the form is below the place. */
const isNarrow = matchMedia('(width < 48rem)');

/**
 * Creates an event at a place in the calendar: its title, its times and its calendar. “More options” opens the whole form with what was
 * typed.
 */
export function QuickCreate({
  values,
  point,
  calendars,
  calendarId,
  onCalendar,
  onChange,
  onMore,
  onClose,
  onSaved,
}: {
  values: EventValues;
  /** Where the pointer was, for a view that does not show the new event. */
  point: { x: number; y: number };
  calendars: readonly Calendar[];
  calendarId: number;
  onCalendar(id: number): void;
  onChange(values: EventValues): void;
  onMore(): void;
  onClose(): void;
  onSaved(values: EventValues): void;
}) {
  const { timezone } = useAccount().user;
  const isBelow = useMedia(isNarrow);
  const queries = useQueryClient();
  const focus = useOverlayFocus();
  const form = useRef<HTMLFormElement>(null);
  const anchor = useRef({
    getBoundingClientRect() {
      const place = document.querySelector(NEW_EVENT_PLACE)?.getBoundingClientRect();
      if (!place) return new DOMRect(point.x, point.y, 0, 0);
      return new DOMRect(place.x, place.y, Math.min(place.width, MAX_PLACE_PX), place.height);
    },
  });
  const save = useMutation({
    mutationFn: (typed: EventValues) => createEvent(typed, calendarId, timezone),
    onSuccess(_saved, typed) {
      onSaved(typed);
      onClose();
    },
    onSettled: () => void queries.invalidateQueries(trpc.calendar.list.pathFilter()),
  });
  useFocusInvalid(form, save.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending && !focusUnread(form.current!)) save.mutate(values);
  };
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          data-event-details=""
          aria-label="New event"
          side={isBelow ? 'bottom' : 'right'}
          sideOffset={8}
          collisionPadding={12}
          sticky="always"
          {...focus}
          className="z-40 w-[min(22rem,calc(100vw-1.5rem))] rounded-xl border border-line bg-raised p-4 shadow-2xl"
        >
          <form ref={form} onSubmit={submit} noValidate className="space-y-3">
            <TextField
              label="Title"
              required
              autoComplete="off"
              data-initial-focus
              value={values.title}
              error={fieldError(save.error, 'title', 'The title')}
              onChange={({ target }) => onChange({ ...values, title: target.value })}
            />
            <p className="text-muted">{dayName.format(msOf(values.start_day))}</p>
            <div className="grid grid-cols-2 gap-3">
              <TimeField
                label="Starts at"
                required
                value={values.start_time}
                error={fieldError(save.error, 'starts_at', 'The start')}
                onTime={(start_time) => onChange(movedStart(values, { start_time }))}
              />
              <TimeField
                label="Ends at"
                required
                value={values.end_time}
                error={fieldError(save.error, 'ends_at', 'The end')}
                onTime={(end_time) => onChange({ ...values, end_time })}
              />
            </div>
            <CalendarField calendars={calendars} value={calendarId} onChange={onCalendar} />
            <FormError message={formError(save.error, ['title', 'starts_at', 'ends_at'])} />
            <div className="flex justify-end gap-2">
              <Button variant="quiet" onClick={onMore}>
                More options
              </Button>
              <Button type="submit" variant="solid" disabled={save.isPending}>
                {save.isPending ? 'Saving…' : 'Save'}
              </Button>
            </div>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
