import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { useLiveFirm } from '../use-live-firm.ts';
import { DeleteFirmDialog } from './delete-firm-dialog.tsx';
import { pollUnfinished, RequestsTable } from './requests-table.tsx';
import { useMayExport } from './use-may-export.ts';

/** The export of the firm, and its deletion. */
export function DataPage() {
  useLiveFirm('data');
  return (
    <Page title="Data">
      <div className="mx-auto max-w-2xl space-y-8 p-4">
        <Exports />
        <Deletion />
      </div>
    </Page>
  );
}

function Exports() {
  const exports = useQuery(
    trpc.firm.data.exports.queryOptions(undefined, { refetchInterval: pollUnfinished }),
  );
  const start = useMutation(
    trpc.firm.data.export.mutationOptions({
      onError: (error) => reportError(error, 'Couldn’t start the export'),
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.firm.data.exports.queryKey() }),
    }),
  );
  const mayExport = useMayExport('firm');
  return (
    <section aria-labelledby="export" className="space-y-3">
      <h2 id="export" className="font-semibold">
        Export
      </h2>
      <p className="text-muted">
        One file with everything in the firm, as another Firmdesk reads it: also{' '}
        <strong className="font-semibold">all mail, and the private calendars of all members</strong>. Only
        who holds every permission may ask for it and download it, which the audit log records. Passwords, API
        keys and secrets of webhooks are not in it, nor are the contents of files. It can be downloaded for 7
        days.
      </p>
      {mayExport && (
        <Button variant="solid" disabled={start.isPending} onClick={() => start.mutate()}>
          Export the firm
        </Button>
      )}
      {exports.data ? (
        <RequestsTable caption="Exports of the firm" requests={exports.data.data} />
      ) : exports.isError ? (
        <ErrorState error={exports.error} onRetry={() => void exports.refetch()} />
      ) : (
        <LoadingRows label="Loading exports" rows={1} />
      )}
    </section>
  );
}

function Deletion() {
  // Who may take out all data may delete it.
  const mayDelete = useMayExport('firm');
  const deletion = useQuery(trpc.firm.data.deletion.queryOptions());
  const [isOpen, setOpen] = useState(false);
  const cancel = useMutation(
    trpc.firm.data.cancelDeletion.mutationOptions({
      onSuccess: (changed) => {
        queryClient.setQueryData(trpc.firm.data.deletion.queryKey(), changed);
        toast.success('The deletion was cancelled');
      },
      onError: (error) => reportError(error, 'Couldn’t cancel the deletion'),
    }),
  );
  return (
    <section aria-labelledby="delete" className="space-y-3">
      <h2 id="delete" className="font-semibold">
        Delete the firm
      </h2>
      {deletion.data?.due_at ? (
        <>
          <p>
            {deletion.data.requested_by?.name ?? 'Somebody'} has asked to delete this firm. It will be deleted{' '}
            <strong className="font-semibold">
              on <Timestamp at={deletion.data.due_at} />
            </strong>
            . Until then it works as before.
          </p>
          <Button variant="solid" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel the deletion
          </Button>
        </>
      ) : deletion.data ? (
        <>
          <p className="text-muted">
            Tickets, mail, calendars, files and settings are deleted for good, and the accounts that belong to
            no other firm. The firm works on for 7 days, in which who can change its settings can cancel. Only
            who holds every permission may ask for it.
          </p>
          {mayDelete && (
            <Button variant="danger" onClick={() => setOpen(true)}>
              Delete the firm…
            </Button>
          )}
        </>
      ) : deletion.isError ? (
        <ErrorState error={deletion.error} onRetry={() => void deletion.refetch()} />
      ) : (
        <LoadingRows label="Loading the deletion" rows={1} />
      )}
      {isOpen && <DeleteFirmDialog onClose={() => setOpen(false)} />}
    </section>
  );
}
