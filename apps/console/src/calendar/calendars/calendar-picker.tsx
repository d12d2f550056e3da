import type { Calendar } from '@firmdesk/contract';
import { MoreHorizontal, Plus } from 'lucide-react';
import { useStoredValue } from '../../stored-value.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx';
import { useCalendarActions } from './calendar-actions.tsx';
import { CalendarDialog } from './calendar-dialog.tsx';
import { hueStyle } from './calendars.ts';
import { hiddenCalendars } from './hidden-calendars.ts';

const levelLabels: Record<Calendar['level'], string> = {
  owner: '',
  write: 'you can edit it',
  read: 'you can view it',
  busy: 'you can see busy times',
};

/** The accessible calendars, each with its colour and a checkbox that shows or hides it. */
export function CalendarPicker({
  calendars,
  byId,
  isCreating,
  onCreated,
}: {
  calendars: Calendar[];
  byId: Map<number, { hue: number }>;
  /** Whether the form of a new calendar is open, because the URL says so. */
  isCreating: boolean;
  onCreated(): void;
}) {
  const hidden = useStoredValue(hiddenCalendars);
  const { create, menuOf, dialog } = useCalendarActions(calendars);
  const others = (id: number) => calendars.flatMap((each) => (each.id === id ? [] : each.id));
  const toggle = (id: number, isShown: boolean) =>
    hiddenCalendars.set(isShown ? hidden.filter((each) => each !== id) : [...hidden, id]);
  return (
    <section
      aria-label="Calendars"
      className="shrink-0 overflow-auto border-line p-2 max-md:flex max-md:items-center max-md:border-b max-md:py-1 md:w-52 md:border-r"
    >
      {calendars.length === 0 && (
        <p className="px-2 py-1 text-muted">
          No calendars yet. Create one, or ask a colleague to share theirs.
        </p>
      )}
      <ul className="max-md:flex">
        {calendars.map(({ id, name, level, owner }, at) => (
          <li key={id} className="group flex shrink-0 items-center rounded-md hover:bg-hover">
            <label
              className="flex min-h-8 min-w-0 flex-1 items-center gap-2 pl-2"
              title={level === 'owner' ? 'Your calendar' : `${owner.name}’s calendar: ${levelLabels[level]}`}
            >
              <input
                type="checkbox"
                className="in-hue size-4 shrink-0 accent-(--hue-edge)"
                style={hueStyle(byId.get(id)?.hue ?? 0)}
                checked={!hidden.includes(id)}
                onChange={(event) => toggle(id, event.target.checked)}
              />
              <span className="truncate max-md:max-w-32">{name}</span>
              {level !== 'owner' && level !== 'write' && (
                <span className="ml-auto shrink-0 text-xs text-muted">
                  {level === 'busy' ? 'busy only' : 'read only'}
                </span>
              )}
            </label>
            <Menu
              label={`Actions for ${name}`}
              trigger={
                <IconButton
                  icon={MoreHorizontal}
                  label={`Actions for ${name}`}
                  className="opacity-0 group-hover:opacity-100 focus-visible:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100"
                />
              }
            >
              <MenuItem onSelect={() => hiddenCalendars.set(others(id))}>Show only this one</MenuItem>
              {menuOf(calendars[at]!)}
            </Menu>
          </li>
        ))}
      </ul>
      <Button variant="quiet" className="shrink-0 px-2 md:mt-1" onClick={create}>
        <Plus size={15} aria-hidden="true" />
        New calendar
      </Button>
      {dialog}
      {isCreating && <CalendarDialog calendar={null} onClose={onCreated} />}
    </section>
  );
}
