import { toast } from '../../shell/toast.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

/** Shows a secret, which cannot be shown again. */
export function SecretDialog({
  what,
  secret,
  onClose,
}: {
  what: 'key' | 'secret';
  secret: string;
  onClose(): void;
}) {
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => toast.success('Copied'),
      () => toast.error('Couldn’t copy: select it and copy it yourself'),
    );
  return (
    <Dialog
      title={`Copy the ${what} now`}
      description="Store it where the program finds it. It can’t be shown again."
      isKeptOpen
      onClose={onClose}
    >
      <code className="block rounded-md border border-line bg-surface p-3 text-xs break-all select-all">
        {secret}
      </code>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={() => void copy()}>Copy</Button>
        <Button variant="solid" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
