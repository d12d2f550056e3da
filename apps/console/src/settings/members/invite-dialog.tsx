import { type Permission, permissions } from '@firmdesk/contract';
import { useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { useAccount } from '../../session/account.ts';
import { toast } from '../../shell/toast.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { SaveDialog } from '../../ui/overlays/save-dialog.tsx';
import { copyInviteLink } from './copy-invite-link.ts';
import { PermissionChoices } from './permission-choices.tsx';
import { presets } from './permission-texts.ts';

/** Invites a person to the team, by mail or with a link to pass on. */
export function InviteDialog({ onClose }: { onClose(): void }) {
  const { permissions: own } = useAccount();
  const [email, setEmail] = useState('');
  const [byMail, setByMail] = useState(true);
  const [held, setHeld] = useState<readonly Permission[]>(
    presets[0]!.permissions.filter((one) => own.includes(one)),
  );
  return (
    <SaveDialog
      title="Invite to the team"
      description="The link works for seven days. You can give only what you hold yourself."
      onClose={onClose}
      fields={['email']}
      submitLabel={byMail ? 'Send invite' : 'Create link'}
      busyLabel="Inviting…"
      save={() =>
        client.firm.invites.create.mutate({
          email: email.trim(),
          permissions: permissions.filter((one) => held.includes(one)),
          by_mail: byMail,
        })
      }
      onSaved={async (invite) => {
        void queryClient.invalidateQueries({ queryKey: trpc.firm.invites.pathKey() });
        onClose();
        if (byMail) toast.success(`Invite sent to ${invite.email}`);
        else await copyInviteLink(invite);
      }}
    >
      {(error) => (
        <>
          <TextField
            label="Email"
            type="email"
            required
            autoComplete="off"
            data-initial-focus
            value={email}
            error={error('email', 'The address')}
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
        </>
      )}
    </SaveDialog>
  );
}
