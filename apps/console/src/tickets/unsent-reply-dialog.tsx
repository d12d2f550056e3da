import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

/** Asks before a ticket ends over a reply that was not sent. */
export function UnsentReplyDialog({
  status,
  onEnd,
  onCancel,
}: {
  status: 'resolved' | 'closed' | null;
  onEnd(): void;
  onCancel(): void;
}) {
  return (
    <ConfirmDialog
      title="Your reply was not sent"
      confirmLabel={status === 'closed' ? 'Close anyway' : 'Resolve anyway'}
      isOpen={status !== null}
      onOpenChange={onCancel}
      onConfirm={onEnd}
    >
      Once the ticket has ended, nobody can reply on it. What you wrote stays readable here.
    </ConfirmDialog>
  );
}
