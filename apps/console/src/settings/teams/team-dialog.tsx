import type { FirmTeam } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { toast } from '../../shell/toast.ts';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { TextField } from '../../ui/field.tsx';
import { fieldError, formError } from '../../ui/field-errors.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

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
  const save = useMutation({
    mutationFn: () =>
      team
        ? client.firm.teams.update.mutate({ id: team.id, name, members: [...members] })
        : client.firm.teams.create.mutate({ name, members: [...members] }),
    async onSuccess() {
      toast.success(team ? 'Team saved' : 'Team created');
      await queryClient.invalidateQueries({ queryKey: trpc.firm.teams.pathKey() });
      onClose();
    },
  });
  return (
    <FormDialog
      title={team ? `Change ${team.name}` : 'New team'}
      description="Members see the tickets of the team among their own."
      isKeptOpen
      onClose={onClose}
      problem={formError(save.error, ['name'])}
      submitLabel={team ? 'Save' : 'Create'}
      busyLabel="Saving…"
      isBusy={save.isPending}
      onSubmit={() => save.mutate()}
    >
      <TextField
        label="Name"
        required
        autoComplete="off"
        data-initial-focus
        maxLength={60}
        value={name}
        error={fieldError(save.error, 'name', 'The name')}
        onChange={({ target }) => setName(target.value)}
      />
      <fieldset className="rounded-lg border border-line p-3">
        <legend className="px-1 font-medium">Members</legend>
        {people.length === 0 && <p className="text-muted">The firm has no agents yet.</p>}
        <div className="grid max-h-64 gap-x-4 overflow-y-auto sm:grid-cols-2">
          {people.map((person) => (
            <label key={person.id} className="inline-flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
              <input
                type="checkbox"
                className="size-4"
                checked={members.includes(person.id)}
                onChange={({ target }) =>
                  setMembers(
                    target.checked ? [...members, person.id] : members.filter((id) => id !== person.id),
                  )
                }
              />
              <span className="truncate">{person.name}</span>
            </label>
          ))}
        </div>
      </fieldset>
    </FormDialog>
  );
}
