import type { FirmTeam } from '@firmdesk/contract';
import { useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { toast } from '../../shell/toast.ts';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { CheckboxList } from '../../ui/fields/checkbox-list.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { SaveDialog } from '../../ui/overlays/save-dialog.tsx';

/** Creates a team, or changes its name and its members. */
export function TeamDialog({ team, onClose }: { team: FirmTeam | null; onClose(): void }) {
  const agents = useSupportDirectory()?.agents ?? [];
  const [name, setName] = useState(team?.name ?? '');
  const [members, setMembers] = useState<readonly string[]>(team?.members.map(({ id }) => id) ?? []);
  // Members who are no agents any more are shown too, so that they can be taken out.
  const people = [
    ...agents,
    ...(team?.members ?? []).filter(({ id }) => !agents.some((one) => one.id === id)),
  ];
  return (
    <SaveDialog
      title={team ? `Change ${team.name}` : 'New team'}
      description="Members see the tickets of the team among their own."
      onClose={onClose}
      fields={['name']}
      submitLabel={team ? 'Save' : 'Create'}
      busyLabel="Saving…"
      save={() =>
        team
          ? client.firm.teams.update.mutate({ id: team.id, name, members: [...members] })
          : client.firm.teams.create.mutate({ name, members: [...members] })
      }
      onSaved={async () => {
        toast.success(team ? 'Team saved' : 'Team created');
        await queryClient.invalidateQueries({ queryKey: trpc.firm.teams.pathKey() });
        onClose();
      }}
    >
      {(error) => (
        <>
          <TextField
            label="Name"
            required
            autoComplete="off"
            data-initial-focus
            maxLength={60}
            value={name}
            error={error('name', 'The name')}
            onChange={({ target }) => setName(target.value)}
          />
          <CheckboxList
            legend="Members"
            choices={people.map(({ id, name }) => ({ value: id, label: name }))}
            chosen={members}
            empty="The firm has no agents yet."
            onChange={setMembers}
          />
        </>
      )}
    </SaveDialog>
  );
}
