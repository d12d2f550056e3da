import type { FirmTag } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { TagBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { MenuItem, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { SettingsTable } from '../settings-table.tsx';
import { useLiveFirm } from '../use-live-firm.ts';
import { MergeTagDialog } from './merge-tag-dialog.tsx';
import { TagDialog } from './tag-dialog.tsx';

type Open = { kind: 'edit'; tag: FirmTag | null } | { kind: 'merge' | 'delete'; tag: FirmTag };

/** The tags of tickets, mail and events. */
export function TagsPage() {
  const tags = useQuery(trpc.firm.tags.list.queryOptions());
  const [open, setOpen] = useState<Open | null>(null);
  useLiveFirm('tags');
  const remove = useMutation(
    trpc.firm.tags.delete.mutationOptions({
      onSuccess: () => toast.success('Tag deleted'),
      onError: (error) => reportError(error, 'Couldn’t delete the tag'),
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.firm.tags.pathKey() }),
    }),
  );
  const close = () => setOpen(null);
  const count = (label: string, of: (tag: FirmTag) => number) => ({
    label,
    className: 'w-28 text-muted tabular-nums max-sm:hidden',
    sortBy: of,
    cell: of,
  });
  return (
    <Page
      title="Tags"
      actions={
        <Button variant="solid" onClick={() => setOpen({ kind: 'edit', tag: null })}>
          <Plus size={15} aria-hidden="true" />
          New tag
        </Button>
      }
    >
      <div className="mx-auto max-w-4xl space-y-4 p-4">
        <p className="text-muted">The same tags mark tickets, mail and events.</p>
        {tags.isPending ? (
          <LoadingRows label="Loading tags" rows={4} />
        ) : tags.isError ? (
          <ErrorState error={tags.error} onRetry={() => void tags.refetch()} />
        ) : (
          <SettingsTable
            caption="Tags, by name"
            rows={tags.data.data}
            idOf={({ id }) => id}
            nameOf={({ name }) => name}
            textOf={({ name }) => name}
            columns={[
              {
                label: 'Tag',
                sortBy: ({ name }) => name,
                cell: ({ name, color }) => <TagBadge name={name} color={color} />,
              },
              count('Tickets', ({ tickets }) => tickets),
              count('Mail', ({ conversations }) => conversations),
              count('Events', ({ events }) => events),
            ]}
            actions={(tag) => (
              <>
                <MenuItem onSelect={() => setOpen({ kind: 'edit', tag })}>Change…</MenuItem>
                <MenuItem onSelect={() => setOpen({ kind: 'merge', tag })}>Merge…</MenuItem>
                <MenuSeparator />
                <MenuItem isDanger onSelect={() => setOpen({ kind: 'delete', tag })}>
                  Delete…
                </MenuItem>
              </>
            )}
            empty={<EmptyState title="No tags yet">Create one, such as KYC or Refund.</EmptyState>}
          />
        )}
      </div>
      {open?.kind === 'edit' && <TagDialog tag={open.tag} onClose={close} />}
      {open?.kind === 'merge' && (
        <MergeTagDialog
          tag={open.tag}
          others={(tags.data?.data ?? []).filter(({ id }) => id !== open.tag.id)}
          onClose={close}
        />
      )}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title={`Delete ${open.tag.name}?`}
          confirmLabel="Delete"
          onClose={close}
          onConfirm={() => remove.mutate({ id: open.tag.id })}
        >
          {usesOf(open.tag)} lose it. To keep them together, merge it into another tag.
        </ConfirmDialog>
      )}
    </Page>
  );
}

function usesOf({ tickets, conversations, events }: FirmTag): string {
  return `${tickets} tickets, ${conversations} conversations and ${events} events`;
}
