import { type Permission, permissions } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { useAccount } from '../../session/account.ts';
import { toast } from '../../shell/toast.ts';
import { TextField } from '../../ui/field.tsx';
import { emailError, formError } from '../../ui/field-errors.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { presets } from '../permission-texts.ts';
import { copyInviteLink } from './copy-invite-link.ts';
import { PermissionChoices } from './permission-choices.tsx';

/** Invites a person to the team, by mail or with a link to pass on. */
export function InviteDialog({ onClose }: { onClose(): void }) {
  const { permissions: own } = useAccount();
  const [email, setEmail] = useState('');
  const [byMail, setByMail] = useState(true);
  const [held, setHeld] = useState<readonly Permission[]>(
    presets[0]!.permissions.filter((one) => own.includes(one)),
  );
  const create = useMutation(
    trpc.firm.invites.create.mutationOptions({
      async onSuccess(invite) {
        onClose();
        if (byMail) toast.success(`Invite sent to ${invite.email}`);
        else await copyInviteLink(invite);
      },
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.firm.invites.pathKey() }),
    }),
  );
  return (
    <FormDialog
      title="Invite to the team"
      description="The link works for seven days. You can give only what you hold yourself."
      isKeptOpen
      onClose={onClose}
      problem={formError(create.error, ['email'])}
      submitLabel={byMail ? 'Send invite' : 'Create link'}
      busyLabel="Inviting…"
      isBusy={create.isPending}
      onSubmit={() =>
        create.mutate({
          email: email.trim(),
          permissions: permissions.filter((one) => held.includes(one)),
          by_mail: byMail,
        })
      }
    >
      <TextField
        label="Email"
        type="email"
        required
        autoComplete="off"
        data-initial-focus
        value={email}
        error={emailError(create.error, 'email', 'The address')}
        onChange={({ target }) => setEmail(target.value)}
      />
      <label className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          className="size-4"
          checked={byMail}
          onChange={({ target }) => setByMail(target.checked)}
        />
        Send the link by mail
      </label>
      <PermissionChoices held={held} isFixed={(one) => !own.includes(one)} onChange={setHeld} />
    </FormDialog>
  );
}
