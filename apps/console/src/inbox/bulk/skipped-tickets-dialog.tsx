import type { BulkSkipReason } from '@firmdesk/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { client, trpc } from '../../api.ts';
import { pagedQuery } from '../../paged-query.ts';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';

const reasons: Record<BulkSkipReason, string> = {
  unchanged: 'Had the value already',
  ended: 'Resolved or closed',
  not_found: 'Not found',
  too_many_tags: 'Has 20 tags already',
  value_gone: 'The agent, team or tag no longer exists',
  changed_since: 'Changed since',
};

/** The tickets that a bulk change has left as they were, with the reasons. */
export function SkippedTicketsDialog({ id, onClose }: { id: string; onClose(): void }) {
  const pages = useInfiniteQuery(
    pagedQuery([...trpc.tickets.bulkChanges.skipped.pathKey(), id], (from, options) =>
      client.tickets.bulkChanges.skipped.query({ id, limit: 50, ...from }, options),
    ),
  );
  const rows = pages.data?.pages.flatMap(({ data }) => data);
  return (
    <Dialog title="Skipped tickets" onClose={onClose}>
      {pages.isError && <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />}
      {!rows && !pages.isError && <LoadingRows label="Loading the skipped tickets" rows={4} />}
      {rows && (
        <ul className="divide-y divide-line">
          {rows.map(({ id: ticket, number, subject, reason }) => (
            <li key={ticket} className="flex items-baseline gap-2 py-1.5">
              <span className="shrink-0 text-xs text-muted tabular-nums">{number}</span>
              <span className="min-w-0 flex-1 truncate">{subject ?? 'Deleted ticket'}</span>
              <span className="shrink-0 text-xs text-muted">{reasons[reason]}</span>
            </li>
          ))}
        </ul>
      )}
      <MoreRows query={pages} />
    </Dialog>
  );
}
