import type { FirmTeam } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { toast } from '../../shell/toast.ts';
import { SelectField } from '../../ui/field.tsx';
import { formError } from '../../ui/field-errors.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

const NONE = '';

/** Deletes a team, and asks who gets what belongs to it. */
export function DeleteTeamDialog({
  team,
  others,
  onClose,
}: {
  team: FirmTeam;
  others: readonly FirmTeam[];
  onClose(): void;
}) {
  const [target, setTarget] = useState(NONE);
  const remove = useMutation(
    trpc.firm.teams.delete.mutationOptions({
      async onSuccess() {
        toast.success(`Team ${team.name} deleted`);
        await queryClient.invalidateQueries({ queryKey: trpc.firm.teams.pathKey() });
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title={`Delete ${team.name}?`}
      description={`${team.open_tickets} open tickets, ${team.macros} macros and ${team.views} views belong to it. The views are deleted with it.`}
      onClose={onClose}
      problem={formError(remove.error, [])}
      submitLabel="Delete"
      busyLabel="Deleting…"
      isBusy={remove.isPending}
      onSubmit={() => remove.mutate({ id: team.id, reassign_to: target === NONE ? null : Number(target) })}
    >
      <SelectField
        label="Give its tickets and macros to"
        value={target}
        onChange={(event) => setTarget(event.target.value)}
      >
        <option value={NONE}>No team: macros are for all teams</option>
        {others.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
