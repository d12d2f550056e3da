import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';

/** Asks for confirmation before a ticket with an unsent reply is resolved or closed. */
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
      title="You have an unsent reply"
      confirmLabel={status === 'closed' ? 'Close anyway' : 'Resolve anyway'}
      isOpen={status !== null}
      onClose={onCancel}
      onConfirm={onEnd}
    >
      You can’t reply to a resolved or closed ticket. Your draft stays readable here.
    </ConfirmDialog>
  );
}
