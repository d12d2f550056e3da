import { type Member, type Permission, permissions } from '@firmdesk/contract';
import { useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { accountQuery, useAccount } from '../../session/account.ts';
import { toast } from '../../shell/toast.ts';
import { SaveDialog } from '../../ui/overlays/save-dialog.tsx';
import { PermissionChoices } from './permission-choices.tsx';

/** Changes what a member may do. */
export function PermissionsDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const { permissions: own, user } = useAccount();
  const [held, setHeld] = useState<readonly Permission[]>(member.permissions);
  /** Nobody gives what they do not hold. */
  const isFixed = (one: Permission) => !own.includes(one) && !member.permissions.includes(one);
  return (
    <SaveDialog
      title={`Permissions of ${member.name}`}
      description="A change counts at once. You can give only what you hold yourself."
      onClose={onClose}
      submitLabel="Save"
      busyLabel="Saving…"
      save={() =>
        client.firm.members.update.mutate({
          id: member.id,
          permissions: permissions.filter((one) => held.includes(one)),
        })
      }
      onSaved={async ({ id, name }) => {
        toast.success(`Permissions of ${name} saved`);
        await queryClient.invalidateQueries({ queryKey: trpc.firm.members.pathKey() });
        if (id === user.id) await queryClient.invalidateQueries({ queryKey: accountQuery().queryKey });
        onClose();
      }}
    >
      {() => (
        <>
          <PermissionChoices held={held} isFixed={isFixed} onChange={setHeld} />
        </>
      )}
    </SaveDialog>
  );
}
