import type { Passkey } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client, queryClient, trpc } from '../api.ts';
import { canUsePasskeys } from '../session/can-use-passkeys.ts';
import { SettingsTable } from '../settings/settings-table.tsx';
import { reportError } from '../shell/report-error.ts';
import { toast } from '../shell/toast.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields/field.tsx';
import { fieldError, formError } from '../ui/fields/field-errors.ts';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { FormDialog } from '../ui/overlays/form-dialog.tsx';
import { MenuItem, MenuSeparator } from '../ui/overlays/menu.tsx';
import { EmptyState } from '../ui/states.tsx';
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
      <div className="p-2 sm:p-4">
        <SettingsTable
          caption="Passkeys of the account"
          rows={passkeys}
          idOf={({ id }) => id}
          nameOf={({ name }) => name}
          textOf={({ name }) => name}
          columns={[
            {
              label: 'Passkey',
              sortBy: ({ name }) => name,
              cell: ({ name }) => <span className="block truncate font-medium">{name}</span>,
            },
            {
              label: 'Added',
              className: 'w-32 text-muted max-sm:hidden',
              sortBy: ({ created_at }) => created_at,
              cell: ({ created_at }) => <Timestamp at={created_at} />,
            },
            {
              label: 'Last used',
              className: 'w-32 text-muted max-sm:w-28',
              sortBy: ({ last_used_at }) => last_used_at,
              cell: ({ last_used_at }) => (last_used_at ? <Timestamp at={last_used_at} /> : 'Never'),
            },
          ]}
          actions={(passkey) => (
            <>
              <MenuItem onSelect={() => setOpen({ kind: 'rename', passkey })}>Rename…</MenuItem>
              <MenuSeparator />
              <MenuItem isDanger onSelect={() => setOpen({ kind: 'remove', passkey })}>
                Remove…
              </MenuItem>
            </>
          )}
          empty={
            <EmptyState title="No passkeys yet">Add one on each device that you sign in from.</EmptyState>
          }
        />
      </div>
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
