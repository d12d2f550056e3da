import type { OpenMailMessage } from '@firmdesk/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { mailRoute } from '../mail-route.ts';

/** Deletes a draft permanently, after a confirmation. */
export function DeleteDraft({
  draft: { id, subject },
  returnTo,
  onDeleted,
}: {
  draft: OpenMailMessage;
  /** The message that is open afterwards; null for none. */
  returnTo: string | null;
  onDeleted(): void;
}) {
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const navigate = mailRoute.useNavigate();
  const erase = useMutation(
    trpc.mail.deleteDraft.mutationOptions({
      onSuccess() {
        onDeleted();
        toast.success('Draft deleted');
        void navigate({
          search: ({ message: _, ...rest }) => (returnTo ? { ...rest, message: returnTo } : rest),
        });
      },
      onError: (error) => reportError(error, 'Couldn’t delete the draft'),
      onSettled: () => queries.invalidateQueries(trpc.mail.pathFilter()),
    }),
  );
  return (
    <>
      <Button variant="danger" disabled={erase.isPending} onClick={() => setAsking(true)}>
        Delete
      </Button>
      <ConfirmDialog
        title="Delete this draft permanently?"
        confirmLabel="Delete"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => erase.mutate({ id })}
      >
        {subject ? `“${subject}”` : 'A draft without a subject'} is deleted permanently. This can’t be undone.
        To be able to restore it, move it to the trash instead.
      </ConfirmDialog>
    </>
  );
}
