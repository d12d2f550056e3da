import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { trpc } from '../api.ts';
import { useAccount } from '../session/account.ts';
import { Picker, PickerItem } from '../ui/overlays/picker.tsx';
import { useSettled } from '../ui/use-settled.ts';
import { hueStyle, useCalendars } from './calendars/calendars.ts';
import { formatEventTime } from './event/event-format.ts';
import { dayOf } from './views/days.ts';
import { wallClockMs } from './wall-clock.ts';

/** Finds events by words in their title, place and text. The one that is chosen is shown in its day. */
export function FindEvents({ onClose }: { onClose(): void }) {
  const { timezone } = useAccount().user;
  const { byId } = useCalendars();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState('');
  const q = useSettled(text.trim());
  const { data, isError } = useQuery(trpc.calendar.search.queryOptions({ q }, { enabled: q !== '' }));
  const found = q === '' ? [] : (data?.data ?? []);
  // The first one is highlighted when others are found.
  const highlighted = found.some(({ id }) => String(id) === chosen) ? chosen : String(found[0]?.id ?? '');
  const empty =
    q === ''
      ? 'Type words of the title, the place or the description.'
      : isError
        ? 'The search failed. Type again to retry.'
        : data
          ? 'No event has these words.'
          : 'Searching…';
  return (
    <Picker
      title="Find events"
      placeholder="Find events…"
      text={text}
      onText={setText}
      highlighted={{ value: highlighted, onValueChange: setChosen }}
      empty={empty}
      onClose={onClose}
      footer={
        data?.meta.has_more && (
          <p className="border-t border-line px-5 py-2 text-muted">More events have these words.</p>
        )
      }
    >
      {found.map((event) => {
        const { id, title, location, starts_at, all_day, calendar_id } = event;
        const day = dayOf(wallClockMs(starts_at, all_day ? event.timezone : timezone));
        const calendar = byId.get(calendar_id);
        return (
          <PickerItem
            key={id}
            id={String(id)}
            onChoose={() => {
              onClose();
              void navigate({ to: '/calendar', search: (before) => ({ ...before, day, event: id }) });
            }}
          >
            <span
              aria-hidden="true"
              className="in-hue size-2.5 shrink-0 rounded-full bg-(--hue-edge)"
              style={hueStyle(calendar?.hue ?? 0)}
            />
            <span className="min-w-0 flex-1">
              <span className="flex items-baseline gap-2">
                <span className="truncate">{title}</span>
                {location && <span className="truncate text-xs text-muted">{location}</span>}
              </span>
              <span className="block truncate text-xs text-muted">
                {formatEventTime(event, timezone)}
                {event.is_recurring && ', repeats'}
                {calendar && ` · ${calendar.calendar.name}`}
              </span>
            </span>
          </PickerItem>
        );
      })}
    </Picker>
  );
}
