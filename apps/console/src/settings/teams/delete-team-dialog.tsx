import type { FirmTeam } from '@firmdesk/contract';
import { useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { toast } from '../../shell/toast.ts';
import { named, SelectField } from '../../ui/fields/select-field.tsx';
import { SaveDialog } from '../../ui/overlays/save-dialog.tsx';

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
  const [target, setTarget] = useState<number | null>(null);
  return (
    <SaveDialog
      title={`Delete ${team.name}?`}
      description={`${team.open_tickets} open tickets, ${team.macros} macros and ${team.views} views belong to it. The views are deleted with it.`}
      onClose={onClose}
      submitLabel="Delete"
      busyLabel="Deleting…"
      save={() => client.firm.teams.delete.mutate({ id: team.id, reassign_to: target })}
      onSaved={async () => {
        toast.success(`Team ${team.name} deleted`);
        await queryClient.invalidateQueries({ queryKey: trpc.firm.teams.pathKey() });
        onClose();
      }}
    >
      {() => (
        <SelectField
          label="Give its tickets and macros to"
          value={target}
          choices={[[null, 'No team: macros are for all teams'], ...named(others)]}
          onValue={setTarget}
        />
      )}
    </SaveDialog>
  );
}
