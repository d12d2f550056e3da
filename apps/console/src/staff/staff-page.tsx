import { createRpcClient } from '@firmdesk/client';
import { PLATFORM, type StaffFirm } from '@firmdesk/contract';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { queryClient } from '../api.ts';
import { pagedQuery } from '../paged-query.ts';
import { firmPath, pageOfPath } from '../session/firm-path.ts';
import { SettingsTable } from '../settings/settings-table.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields/field.tsx';
import { MoreRows } from '../ui/more-rows.tsx';
import { MenuItem, MenuSeparator } from '../ui/overlays/menu.tsx';
import { Page } from '../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx';
import { useSettled } from '../ui/use-settled.ts';
import { CreateFirmDialog } from './create-firm-dialog.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

/** The page acts in no firm: its calls have the session of the staff. */
const client = createRpcClient({ url: location.origin, workspace: PLATFORM });
const KEY = ['staff', 'firms'];

type Act = 'enter' | 'suspend' | 'resume';
type Open = { kind: 'create' } | { kind: Act; firm: Pick<StaffFirm, 'workspace' | 'name'> };

const stateTexts: Record<StaffFirm['state'], string> = {
  served: 'Served',
  suspended: 'Suspended',
  deleting: 'Being deleted',
};

/** The firm whose page leads here because the session has not said yet why it acts there, and that page. */
function asked(): { enter: string | null; back: string } {
  const query = new URLSearchParams(location.search);
  const back = query.get('back') ?? '/';
  return { enter: query.get('enter'), back: back.startsWith('/') ? back : '/' };
}

/** All firms, for the service's own staff: what is done here is in the audit log of the firm, with the reason. */
export function StaffPage() {
  const [text, setText] = useState('');
  const q = useSettled(text.trim());
  const [open, setOpen] = useState<Open | null>(() => {
    const { enter: workspace } = asked();
    return workspace === null ? null : { kind: 'enter', firm: { workspace, name: workspace } };
  });
  const firms = useInfiniteQuery(
    pagedQuery([...KEY, q], (from, options) =>
      client.staff.firms.list.query({ ...from, limit: 50, ...(q && { q }) }, options),
    ),
  );
  const refresh = () => queryClient.invalidateQueries({ queryKey: KEY });
  const act = useMutation({
    async mutationFn({ kind, workspace, reason }: { kind: Act; workspace: string; reason: string }) {
      const input = { workspace, reason };
      if (kind === 'suspend') await client.staff.firms.suspend.mutate(input);
      else if (kind === 'resume') await client.staff.firms.resume.mutate(input);
      else {
        await client.staff.firms.enter.mutate(input);
        const { enter, back } = asked();
        location.assign(firmPath(workspace, enter === workspace ? pageOfPath(back) : '/'));
      }
    },
    async onSuccess() {
      setOpen(null);
      await refresh();
    },
  });
  const rows = firms.data?.pages.flatMap(({ data }) => data) ?? [];
  const close = () => {
    act.reset();
    setOpen(null);
  };
  return (
    <main className="h-full">
      <Page
        title="Firms"
        actions={
          <Button variant="solid" onClick={() => setOpen({ kind: 'create' })}>
            <Plus size={15} aria-hidden="true" />
            New firm
          </Button>
        }
      >
        <div className="mx-auto max-w-4xl space-y-4 p-4">
          <TextField
            type="search"
            label="Search firms"
            isLabelHidden
            placeholder="Search by name or slug"
            className="max-w-80"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          {firms.isPending ? (
            <LoadingRows label="Loading firms" rows={4} />
          ) : firms.isError && !firms.data ? (
            <ErrorState error={firms.error} onRetry={() => void firms.refetch()} />
          ) : (
            <SettingsTable
              caption="Firms, by slug"
              rows={rows}
              idOf={({ workspace }) => workspace}
              nameOf={({ name }) => name}
              columns={[
                {
                  label: 'Firm',
                  sortBy: ({ name }) => name,
                  cell: ({ name, workspace }) => (
                    <>
                      <span className="block truncate font-medium">{name}</span>
                      <span className="block truncate text-xs text-muted">{workspace}</span>
                    </>
                  ),
                },
                {
                  label: 'State',
                  className: 'w-36',
                  sortBy: ({ state }) => stateTexts[state],
                  cell: ({ state, deletion_due_at }) => (
                    <>
                      <Badge tone={state === 'served' ? 'neutral' : 'warning'}>{stateTexts[state]}</Badge>
                      {deletion_due_at && (
                        <span className="block text-xs text-danger">
                          Deleted on {deletion_due_at.slice(0, 10)}
                        </span>
                      )}
                    </>
                  ),
                },
                {
                  label: 'Members',
                  className: 'w-28 text-muted tabular-nums max-sm:hidden',
                  sortBy: ({ members }) => members,
                  cell: ({ members }) => members,
                },
                {
                  label: 'Created',
                  className: 'w-36 text-muted max-md:hidden',
                  sortBy: ({ created_at }) => created_at,
                  cell: ({ created_at }) => created_at.slice(0, 10),
                },
              ]}
              actions={(firm) =>
                firm.state === 'served' ? (
                  <>
                    <MenuItem onSelect={() => setOpen({ kind: 'enter', firm })}>Open…</MenuItem>
                    <MenuSeparator />
                    <MenuItem isDanger onSelect={() => setOpen({ kind: 'suspend', firm })}>
                      Suspend…
                    </MenuItem>
                  </>
                ) : (
                  firm.state === 'suspended' && (
                    <MenuItem onSelect={() => setOpen({ kind: 'resume', firm })}>Resume…</MenuItem>
                  )
                )
              }
              empty={
                q === '' ? (
                  <EmptyState title="No firms yet">Create the first one.</EmptyState>
                ) : (
                  <EmptyState title={`No firm matches “${q}”`}>
                    Search for a part of its name or slug.
                  </EmptyState>
                )
              }
            />
          )}
          <MoreRows query={firms} />
        </div>
        {open?.kind === 'create' && (
          <CreateFirmDialog
            create={(firm) => client.staff.firms.create.mutate(firm)}
            onDone={refresh}
            onClose={close}
          />
        )}
        {open && open.kind !== 'create' && (
          <ReasonDialog
            act={open.kind}
            name={open.firm.name}
            error={act.error}
            isBusy={act.isPending}
            onClose={close}
            onSubmit={(reason) =>
              act.mutate({ kind: open.kind as Act, workspace: open.firm.workspace, reason })
            }
          />
        )}
      </Page>
    </main>
  );
}
