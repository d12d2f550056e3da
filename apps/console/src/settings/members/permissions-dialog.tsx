import { type Member, type Permission, permissions } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { accountQuery, useAccount } from '../../session/account.ts';
import { toast } from '../../shell/toast.ts';
import { Button } from '../../ui/button.tsx';
import { formError } from '../../ui/field-errors.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { permissionTexts, presets } from '../permission-texts.ts';

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
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">Presets</legend>
        {presets.map(({ name, permissions: preset }) => (
          <Button key={name} onClick={() => setHeld(preset.filter((one) => !isFixed(one)))}>
            {name}
          </Button>
        ))}
      </fieldset>
      {[...Map.groupBy(permissions, (one) => permissionTexts[one].group)].map(([group, ofGroup]) => (
        <fieldset key={group} className="space-y-1 rounded-lg border border-line p-3">
          <legend className="px-1 font-medium">{group}</legend>
          {ofGroup.map((one) => (
            <Choice
              key={one}
              permission={one}
              isHeld={held.includes(one)}
              isDisabled={isFixed(one)}
              onChange={(isHeld) => setHeld(isHeld ? [...held, one] : held.filter((each) => each !== one))}
            />
          ))}
        </fieldset>
      ))}
    </FormDialog>
  );
}

function Choice({
  permission,
  isHeld,
  isDisabled,
  onChange,
}: {
  permission: Permission;
  isHeld: boolean;
  isDisabled: boolean;
  onChange(isHeld: boolean): void;
}) {
  const id = useId();
  const { label, allows } = permissionTexts[permission];
  return (
    <div className="flex items-start gap-2.5 pointer-coarse:min-h-11">
      <input
        id={id}
        type="checkbox"
        className="mt-0.5 size-4 shrink-0"
        aria-describedby={`${id}-allows`}
        checked={isHeld}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        <p id={`${id}-allows`} className="text-xs text-muted">
          {allows}
        </p>
      </div>
    </div>
  );
}
