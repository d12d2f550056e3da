import { type Member, type Permission, permissions } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { accountQuery, useAccount } from '../../session/account.ts';
import { toast } from '../../shell/toast.ts';
import { formError } from '../../ui/field-errors.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PermissionChoices } from './permission-choices.tsx';

/** Changes what a member may do. */
export function PermissionsDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const { permissions: own, user } = useAccount();
  const [held, setHeld] = useState<readonly Permission[]>(member.permissions);
  const save = useMutation(
    trpc.firm.members.update.mutationOptions({
      async onSuccess({ id, name }) {
        toast.success(`Permissions of ${name} saved`);
        await queryClient.invalidateQueries({ queryKey: trpc.firm.members.pathKey() });
        if (id === user.id) await queryClient.invalidateQueries({ queryKey: accountQuery().queryKey });
        onClose();
      },
    }),
  );
  /** Nobody gives what they do not hold. */
  const isFixed = (one: Permission) => !own.includes(one) && !member.permissions.includes(one);
  return (
    <FormDialog
      title={`Permissions of ${member.name}`}
      description="A change counts at once. You can give only what you hold yourself."
      isKeptOpen
      onClose={onClose}
      problem={formError(save.error, [])}
      submitLabel="Save"
      busyLabel="Saving…"
      isBusy={save.isPending}
      onSubmit={() =>
        save.mutate({ id: member.id, permissions: permissions.filter((one) => held.includes(one)) })
      }
    >
      <PermissionChoices held={held} isFixed={isFixed} onChange={setHeld} />
    </FormDialog>
  );
}
