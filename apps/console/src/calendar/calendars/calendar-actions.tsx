import type { Calendar } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { useAccount } from '../../session/account.ts';
import { reportError } from '../../shell/report-error.ts';
import { MenuItem, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { CalendarDialog } from './calendar-dialog.tsx';
import { DeleteCalendarDialog } from './delete-calendar-dialog.tsx';
import { ShareDialog } from './share-dialog.tsx';

type Open = { kind: 'new' } | { kind: 'change' | 'share' | 'delete'; id: number };

/** What can be done with calendars, from any list of them: the items of the menu of each, and the dialog that is open. */
export function useCalendarActions(calendars: readonly Calendar[]): {
  create(): void;
  menuOf(calendar: Calendar): ReactNode;
  dialog: ReactNode;
} {
  const { user } = useAccount();
  const [open, setOpen] = useState<Open | null>(null);
  const leave = useMutation(
    trpc.calendar.share.mutationOptions({
      onError: (error) => reportError(error, 'Couldn’t remove the calendar'),
      onSettled: () => queryClient.invalidateQueries(trpc.calendar.pathFilter()),
    }),
  );
  const close = () => setOpen(null);
  const calendar = open && 'id' in open ? calendars.find(({ id }) => id === open.id) : undefined;
  return {
    create: () => setOpen({ kind: 'new' }),
    menuOf: ({ id, level }) =>
      level === 'owner' ? (
        <>
          <MenuItem onSelect={() => setOpen({ kind: 'change', id })}>Name and colour…</MenuItem>
          <MenuItem onSelect={() => setOpen({ kind: 'share', id })}>Share…</MenuItem>
          <MenuSeparator />
          <MenuItem isDanger onSelect={() => setOpen({ kind: 'delete', id })}>
            Delete…
          </MenuItem>
        </>
      ) : (
        <MenuItem onSelect={() => leave.mutate({ calendar_id: id, user_id: user.id, level: null })}>
          Remove from my calendars
        </MenuItem>
      ),
    dialog: (
      <>
        {open?.kind === 'new' && <CalendarDialog calendar={null} onClose={close} />}
        {calendar && open?.kind === 'change' && <CalendarDialog calendar={calendar} onClose={close} />}
        {calendar && open?.kind === 'share' && <ShareDialog calendar={calendar} onClose={close} />}
        {calendar && open?.kind === 'delete' && (
          <DeleteCalendarDialog calendar={calendar} calendars={calendars} onClose={close} />
        )}
      </>
    ),
  };
}
