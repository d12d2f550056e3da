import { Plus } from 'lucide-react';
import '../../calendar/calendar.css';
import { useCalendarActions } from '../../calendar/calendars/calendar-actions.tsx';
import { hueStyle, useCalendars } from '../../calendar/calendars/calendars.ts';
import { hiddenCalendars } from '../../calendar/calendars/hidden-calendars.ts';
import { shareLevelLabels } from '../../calendar/calendars/share-levels.ts';
import { useLiveCalendars } from '../../calendar/calendars/use-live-calendars.ts';
import { useStoredValue } from '../../stored-value.ts';
import { Button } from '../../ui/button.tsx';
import { MenuItem } from '../../ui/overlays/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { SettingsTable } from '../settings-table.tsx';

/** The calendars of the account, and those that colleagues share with it. */
export function CalendarsPage() {
  useLiveCalendars();
  const { query, calendars, byId } = useCalendars();
  const { create, menuOf, dialog } = useCalendarActions(calendars);
  const hidden = useStoredValue(hiddenCalendars);
  const isShown = (id: number) => !hidden.includes(id);
  return (
    <Page
      title="Calendars"
      actions={
        <Button variant="solid" onClick={create}>
          <Plus size={15} aria-hidden="true" />
          New calendar
        </Button>
      }
    >
      <div className="mx-auto max-w-4xl space-y-4 p-4">
        <p className="text-muted">
          Your calendars, and those that colleagues share with you. A calendar that is not shared is seen by
          nobody else; colleagues who plan a meeting with you see only when you are busy, unless you turn that
          off.
        </p>
        {query.isPending ? (
          <LoadingRows label="Loading calendars" rows={3} />
        ) : query.isError ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <SettingsTable
            caption="Calendars, your own first"
            rows={calendars}
            idOf={({ id }) => id}
            nameOf={({ name }) => name}
            textOf={({ name, owner }) => `${name} ${owner.name}`}
            columns={[
              {
                label: 'Calendar',
                sortBy: ({ name }) => name,
                cell: ({ id, name }) => (
                  <span
                    className="in-hue flex items-center gap-2 font-medium"
                    style={hueStyle(byId.get(id)?.hue ?? 0)}
                  >
                    <span aria-hidden="true" className="size-3 shrink-0 rounded-full bg-(--hue-edge)" />
                    <span className="truncate">{name}</span>
                  </span>
                ),
              },
              {
                label: 'Owner',
                className: 'w-1/4 text-muted max-sm:hidden',
                sortBy: ({ owner }) => owner.name,
                cell: ({ level, owner }) => (level === 'owner' ? 'You' : owner.name),
              },
              {
                label: 'You may',
                className: 'w-1/4 text-muted',
                sortBy: ({ level }) => level,
                cell: ({ level }) => (level === 'owner' ? 'Everything' : shareLevelLabels[level]),
              },
              {
                label: 'In this window',
                className: 'w-32 text-muted max-md:hidden',
                sortBy: ({ id }) => (isShown(id) ? 0 : 1),
                cell: ({ id }) => (isShown(id) ? 'Shown' : 'Hidden'),
              },
            ]}
            actions={(calendar) => (
              <>
                <MenuItem
                  onSelect={() =>
                    hiddenCalendars.set(
                      isShown(calendar.id)
                        ? [...hidden, calendar.id]
                        : hidden.filter((id) => id !== calendar.id),
                    )
                  }
                >
                  {isShown(calendar.id) ? 'Hide in the calendar' : 'Show in the calendar'}
                </MenuItem>
                {menuOf(calendar)}
              </>
            )}
            empty={
              <EmptyState title="No calendars yet">
                Create one, or ask a colleague to share theirs.
              </EmptyState>
            }
          />
        )}
      </div>
      {dialog}
    </Page>
  );
}
