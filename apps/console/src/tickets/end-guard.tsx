import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Asks before a ticket ends over a reply that was not sent. */
export function EndGuard({
  status,
  onEnd,
  onCancel,
}: {
  status: 'resolved' | 'closed' | null;
  onEnd(): void;
  onCancel(): void;
}) {
  return (
    <Dialog
      title="Your reply was not sent"
      description="Once the ticket has ended, nobody can reply on it. What you wrote stays readable here."
      isOpen={status !== null}
      onOpenChange={onCancel}
    >
      <div className="flex justify-end gap-2">
        <Button onClick={onEnd}>{status === 'closed' ? 'Close anyway' : 'Resolve anyway'}</Button>
        <Button
          look="solid"
          onClick={onCancel}
          // biome-ignore lint/a11y/noAutofocus: a second key press is not to end it
          autoFocus
        >
          Back to my reply
        </Button>
      </div>
    </Dialog>
  );
}
