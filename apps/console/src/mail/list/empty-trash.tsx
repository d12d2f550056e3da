import type { Mailbox } from '@firmdesk/contract';
import { TRASH_DAYS } from '@firmdesk/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, trpc } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';

/** Deletes what is in the trash of a mailbox permanently, after a confirmation. */
export function EmptyTrash({ mailbox }: { mailbox: Mailbox }) {
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const empty = useMutation({
    async mutationFn() {
      let deleted = 0;
      for (let has_more = true; has_more; ) {
        const part = await client.mail.threads.emptyTrash.mutate({ address_id: mailbox.id });
        deleted += part.deleted;
        has_more = part.has_more;
      }
      return deleted;
    },
    onSuccess: (deleted) =>
      toast.success(deleted === 1 ? '1 message deleted' : `${deleted} messages deleted`),
    onError: (error) => reportError(error, 'Couldn’t empty the trash'),
    onSettled: () => queries.invalidateQueries(trpc.mail.pathFilter()),
  });
  return (
    <div className="flex flex-wrap items-center gap-2 pt-2">
      <p className="min-w-0 flex-1 text-xs text-muted">
        Messages are deleted after {TRASH_DAYS} days in the trash.
      </p>
      {mailbox.can_write && (
        <Button variant="danger" disabled={empty.isPending} onClick={() => setAsking(true)}>
          {empty.isPending ? 'Deleting…' : 'Empty trash'}
        </Button>
      )}
      <ConfirmDialog
        title="Delete everything in the trash permanently?"
        confirmLabel="Empty trash"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => empty.mutate()}
      >
        All messages in the trash of {mailbox.email} are deleted for everyone. This can’t be undone.
      </ConfirmDialog>
    </div>
  );
}
