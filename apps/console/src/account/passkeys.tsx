import type { Passkey } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client, queryClient, trpc } from '../api.ts';
import { canUsePasskeys } from '../session/can-use-passkeys.ts';
import { reportError } from '../shell/report-error.ts';
import { toast } from '../shell/toast.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields/field.tsx';
import { fieldError, formError } from '../ui/fields/field-errors.ts';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { FormDialog } from '../ui/overlays/form-dialog.tsx';
import { Timestamp } from '../ui/time/timestamp.tsx';
import { Section } from './section.tsx';

const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.signIn.pathKey() });

/** The passkeys of the account: added, renamed and removed. */
export function Passkeys({ passkeys }: { passkeys: readonly Passkey[] }) {
  const [open, setOpen] = useState<{ kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey } | null>(
    null,
  );
  const close = () => setOpen(null);
  const remove = useMutation(
    trpc.signIn.removePasskey.mutationOptions({
      onSuccess: () => toast.success('Passkey removed'),
      onError: (error) => reportError(error, 'Couldn’t remove the passkey'),
      onSettled: refresh,
    }),
  );
  return (
    <Section
      title="Passkeys"
      anchor="passkeys"
      description="Sign in with your fingerprint, your face or a security key, without a password."
      actions={
        canUsePasskeys && (
          <Button variant="solid" onClick={() => setOpen({ kind: 'add' })}>
            Add a passkey
          </Button>
        )
      }
    >
      {passkeys.length === 0 ? (
        <p className="p-4">No passkeys yet.</p>
      ) : (
        <ul className="divide-y divide-line">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex items-center justify-between gap-4 px-4 py-3">
              <div className="min-w-0">
                <p className="truncate font-medium">{passkey.name}</p>
                <p className="text-muted">
                  Added: <Timestamp at={passkey.created_at} />
                  {passkey.last_used_at && (
                    <>
                      {' · last used: '}
                      <Timestamp at={passkey.last_used_at} />
                    </>
                  )}
                </p>
              </div>
              <div className="flex gap-2">
                <Button
                  aria-label={`Rename ${passkey.name}`}
                  onClick={() => setOpen({ kind: 'rename', passkey })}
                >
                  Rename
                </Button>
                <Button
                  variant="danger"
                  aria-label={`Remove ${passkey.name}`}
                  onClick={() => setOpen({ kind: 'remove', passkey })}
                >
                  Remove
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {open?.kind === 'add' && <NameDialog onClose={close} />}
      {open?.kind === 'rename' && <NameDialog passkey={open.passkey} onClose={close} />}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title="Remove this passkey?"
          confirmLabel="Remove"
          onClose={close}
          onConfirm={() => remove.mutate({ id: open.passkey.id })}
        >
          “{open.passkey.name}” no longer signs you in. Delete it on the device too.
        </ConfirmDialog>
      )}
    </Section>
  );
}

/** Names a passkey: a new one, which the browser then creates, or a stored one. */
function NameDialog({ passkey, onClose }: { passkey?: Passkey; onClose(): void }) {
  const [name, setName] = useState(passkey?.name ?? '');
  const save = useMutation({
    async mutationFn() {
      if (passkey) return client.signIn.renamePasskey.mutate({ id: passkey.id, name });
      const { createPasskey } = await import('../session/passkey.ts');
      const response = await createPasskey();
      return response && client.signIn.addPasskey.mutate({ name, response });
    },
    onSuccess(saved) {
      if (!saved) return;
      toast.success(passkey ? 'Passkey renamed' : 'Passkey added');
      onClose();
    },
    onSettled: refresh,
  });
  return (
    <FormDialog
      title={passkey ? 'Rename the passkey' : 'Add a passkey'}
      isKeptOpen
      onClose={onClose}
      problem={formError(save.error, ['name'])}
      submitLabel={passkey ? 'Rename' : 'Continue'}
      isBusy={save.isPending}
      isDisabled={name.trim() === ''}
      onSubmit={() => save.mutate()}
    >
      <TextField
        label="Name"
        hint="For example the device that keeps it."
        autoComplete="off"
        data-initial-focus
        maxLength={100}
        value={name}
        error={fieldError(save.error, 'name', 'The name')}
        onChange={({ target }) => setName(target.value)}
      />
    </FormDialog>
  );
}
