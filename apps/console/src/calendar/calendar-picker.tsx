import type { Calendar } from '@firmdesk/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { trpc } from '../api.ts';
import { useStoredValue } from '../stored-value.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { fieldError, formError } from '../ui/field-errors.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
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
}: {
  calendars: Calendar[];
  byId: Map<number, { hue: number }>;
}) {
  const hidden = useStoredValue(hiddenCalendars);
  const [isAdding, setAdding] = useState(false);
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
        {calendars.map(({ id, name, level, owner }) => (
          <li key={id} className="shrink-0">
            <label
              className="flex min-h-8 items-center gap-2 rounded-md px-2 hover:bg-hover"
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
          </li>
        ))}
      </ul>
      <Button variant="quiet" className="shrink-0 px-2 md:mt-1" onClick={() => setAdding(true)}>
        <Plus size={15} aria-hidden="true" />
        New calendar
      </Button>
      <NewCalendarDialog isOpen={isAdding} onClose={() => setAdding(false)} />
    </section>
  );
}

function NewCalendarDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [name, setName] = useState('');
  const queries = useQueryClient();
  const create = useMutation(
    trpc.calendar.createCalendar.mutationOptions({
      onSuccess() {
        setName('');
        onClose();
      },
      onSettled: () => queries.invalidateQueries(trpc.calendar.pathFilter()),
    }),
  );
  return (
    <FormDialog
      title="New calendar"
      isOpen={isOpen}
      onClose={onClose}
      problem={formError(create.error, ['name'])}
      submitLabel="Create"
      isBusy={create.isPending}
      onSubmit={() => create.mutate({ name })}
    >
      <TextField
        label="Name"
        data-initial-focus
        value={name}
        error={fieldError(create.error, 'name', 'The name')}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}
