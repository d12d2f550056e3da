import type { BulkChange, LostRight } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { trpc } from '../../api.ts';
import { announce } from '../../shell/announcer.tsx';
import { toast } from '../../shell/toast.ts';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import {
  describeAction,
  isForgotten,
  isRunning,
  ticketCount,
  undoBulkChange,
  undoMs,
} from './bulk-change.ts';
import { closedReports, shownBulkChange } from './shown-bulk-change.ts';
import { SkippedTicketsDialog } from './skipped-tickets-dialog.tsx';

const REFRESH_MS = 700;
/** More stopped bulk changes than a firm has in the day after which they are deleted. */
const MAX_CLOSED = 50;

/** The progress of a bulk change, and its report once it has ended. */
export function BulkProgress({ id }: { id: string }) {
  const { data: change, error } = useQuery({
    ...trpc.tickets.bulkChanges.get.queryOptions({ id }),
    refetchInterval: ({ state: { data } }) => (!data || isRunning(data) ? REFRESH_MS : false),
  });
  const directory = useSupportDirectory();
  const [isReporting, setReporting] = useState(false);
  const isUndoable = useUndoable(change);
  const hide = () => {
    const reports = closedReports();
    if (change?.state === 'stopped') reports.set([...reports.get(), id].slice(-MAX_CLOSED));
    shownBulkChange().set(null);
  };
  const isLost = error !== null && isForgotten(error);
  useEffect(() => {
    if (isLost) shownBulkChange().set(null);
  }, [isLost]);
  // Once it is undone there is nothing left to do with it, as with the undo of any other change.
  const isUndone = change?.state === 'undone' && change.undone === change.changed;
  const report = change && !isRunning(change) ? describeResult(change) : null;
  useEffect(() => {
    if (!report) return;
    if (!isUndone) return announce(report);
    toast.success(report);
    shownBulkChange().set(null);
  }, [report, isUndone]);
  if (!change) return null;

  const done =
    change.state === 'undoing' || change.state === 'undone' ? change.undone : change.changed + change.skipped;
  const total = change.state === 'undoing' || change.state === 'undone' ? change.changed : change.tickets;
  const name = describeAction(change.action, directory);
  return (
    <section
      aria-label="Bulk change"
      className="flex shrink-0 flex-col gap-1.5 border-b border-line bg-raised px-3 py-2"
    >
      <div className="flex items-start gap-1">
        <p className="min-w-0 flex-1 py-1">
          {report ?? `${change.state === 'undoing' ? 'Undoing' : 'Changing'} ${ticketCount(total)}: ${name}`}
        </p>
        {!isRunning(change) && <IconButton icon={X} label="Close the report" onClick={hide} />}
      </div>
      {isRunning(change) && (
        <progress
          aria-label={`${done.toLocaleString('en')} of ${total.toLocaleString('en')}`}
          value={done}
          max={Math.max(1, total)}
          className="h-1.5 w-full accent-accent-solid"
        />
      )}
      <div className="flex gap-1.5">
        {isUndoable && (
          <Button onClick={() => void undoBulkChange(id)}>
            {change.state === 'running' ? 'Stop and undo' : 'Undo'}
          </Button>
        )}
        {change.skipped > 0 && !isRunning(change) && (
          <Button onClick={() => setReporting(true)}>Show skipped tickets</Button>
        )}
      </div>
      {isReporting && <SkippedTicketsDialog id={id} onClose={() => setReporting(false)} />}
    </section>
  );
}

/** Returns whether the change can be undone, until that time is over. */
function useUndoable(change: BulkChange | undefined): boolean {
  const [, setExpired] = useState(0);
  const ms = change ? undoMs(change, Date.now()) : 0;
  useEffect(() => {
    if (ms <= 0 || ms === Number.POSITIVE_INFINITY) return;
    const timer = setTimeout(() => setExpired((count) => count + 1), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return ms > 0;
}

const reasons: Record<LostRight, string> = {
  dismissed: 'the colleague for whom it ran no longer belongs to the firm',
  account_ended: 'the colleague for whom it ran no longer has an account',
  permission_lost: 'the colleague for whom it ran may no longer change tickets',
  firm_suspended: 'the firm was suspended',
};

function describeResult({ state, stopped_because, tickets, changed, skipped, undone }: BulkChange): string {
  if (state === 'stopped') {
    const done = (changed + skipped).toLocaleString('en');
    const back = undone > 0 ? `, of which ${undone.toLocaleString('en')} are changed back` : '';
    const reason = stopped_because ? `: ${reasons[stopped_because]}` : '';
    return `A bulk change was stopped after ${done} of ${ticketCount(tickets)}${back}${reason}`;
  }
  if (state === 'undone') {
    const kept = changed - undone;
    return kept === 0
      ? `${ticketCount(undone)} changed back`
      : `${ticketCount(undone)} changed back, ${kept.toLocaleString('en')} kept because they have changed since`;
  }
  return skipped === 0
    ? `${ticketCount(changed)} changed`
    : `${ticketCount(changed)} changed, ${skipped.toLocaleString('en')} skipped`;
}
