import {
  type AgentAvailability,
  type AssignmentSettings,
  assignmentModes,
  MAX_TICKET_LIMIT,
} from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { SettingsTable } from '../settings-table.tsx';
import { useLiveFirm } from '../use-live-firm.ts';

const modeLabels: Record<(typeof assignmentModes)[number], string> = {
  off: 'Off: agents take tickets',
  round_robin: 'In turn (round robin)',
  least_loaded: 'Fewest open tickets',
  knows_trader: 'Who knows the trader',
};

const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.tickets.assignment.pathKey() });

/** How each team assigns its tickets, and which agents get them. */
export function AssignmentPage() {
  useLiveFirm('assignment', 'teams', 'members');
  const settings = useQuery(trpc.tickets.assignment.get.queryOptions());
  return (
    <Page title="Assignment">
      {settings.data ? (
        <div className="mx-auto max-w-3xl space-y-6 p-4">
          <Teams {...settings.data} />
          <Agents agents={settings.data.agents} />
        </div>
      ) : settings.isError ? (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      ) : (
        <LoadingRows label="Loading the assignment" rows={5} />
      )}
    </Page>
  );
}

function Teams({ teams, agents }: AssignmentSettings) {
  const set = useMutation(
    trpc.tickets.assignment.setTeam.mutationOptions({
      onSuccess: (saved) => queryClient.setQueryData(trpc.tickets.assignment.get.queryKey(), saved),
      onError: (error) => reportError(error, 'Couldn’t change the assignment'),
    }),
  );
  return (
    <section aria-labelledby="teams" className="space-y-2">
      <h2 id="teams" className="font-semibold">
        Teams
      </h2>
      <p className="text-muted">
        A ticket that needs a reply and has no assignee goes to an agent of its team who is available and has
        room. Otherwise it stays in the team’s queue until one is. Tickets that you assign stay as you assign
        them.
      </p>
      <SettingsTable
        caption="Assignment by team"
        rows={teams}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        textOf={({ name, mode }) => `${name} ${modeLabels[mode]}`}
        columns={[
          {
            label: 'Team',
            sortBy: ({ name }) => name,
            cell: ({ name, members }) => (
              <>
                <span className="block font-medium wrap-anywhere">{name}</span>
                <span className="block text-muted">
                  {agents.filter(({ id, available }) => available && members.includes(id)).length} of{' '}
                  {members.length} available
                </span>
              </>
            ),
          },
          {
            label: 'Waiting',
            className: 'w-24 text-muted tabular-nums max-sm:hidden',
            sortBy: ({ waiting }) => waiting,
            cell: ({ waiting }) => waiting,
          },
          {
            label: 'Assignment',
            className: 'w-60 max-sm:w-48',
            sortBy: ({ mode }) => modeLabels[mode],
            cell: ({ id, name, mode }) => (
              <SelectField
                label={`Assign tickets of ${name}`}
                isLabelHidden
                value={mode}
                choices={assignmentModes.map((each) => [each, modeLabels[each]])}
                onValue={(mode) => set.mutate({ team: id, mode })}
              />
            ),
          },
        ]}
        empty={<EmptyState title="No teams yet">Tickets are assigned to the members of a team.</EmptyState>}
      />
    </section>
  );
}

function Agents({ agents }: { agents: readonly AgentAvailability[] }) {
  return (
    <section aria-labelledby="agents" className="space-y-2">
      <h2 id="agents" className="font-semibold">
        Agents
      </h2>
      <p className="text-muted">
        Agents who are away, or have as many open tickets as their limit, get no more by themselves. Agents
        set their own availability in the account menu.
      </p>
      <SettingsTable
        caption="Agents, by name"
        rows={agents}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        textOf={({ name }) => name}
        columns={[
          {
            label: 'Agent',
            sortBy: ({ name }) => name,
            cell: ({ name, avatar_url }) => (
              <span className="flex items-center gap-2">
                <Avatar name={name} url={avatar_url} />
                <span className="truncate font-medium">{name}</span>
              </span>
            ),
          },
          {
            label: 'Open tickets',
            className: 'w-32 text-muted tabular-nums max-sm:hidden',
            sortBy: ({ tickets }) => tickets,
            cell: ({ tickets }) => tickets,
          },
          {
            label: 'Limit',
            className: 'w-36 max-sm:w-28',
            sortBy: ({ ticket_limit }) => ticket_limit,
            cell: (agent) => <Limit agent={agent} />,
          },
          {
            label: 'Available',
            className: 'w-28 max-sm:w-24',
            sortBy: ({ available }) => Number(!available),
            cell: (agent) => <Available agent={agent} />,
          },
        ]}
        empty={<EmptyState title="No agents yet">Invite members who may manage tickets.</EmptyState>}
      />
    </section>
  );
}

function useSetAgent({ name }: AgentAvailability) {
  return useMutation(
    trpc.tickets.assignment.setAgent.mutationOptions({
      onError: (error) => reportError(error, `Couldn’t change the availability of ${name}`),
      onSettled: refresh,
    }),
  );
}

function Limit({ agent }: { agent: AgentAvailability }) {
  const saved = agent.ticket_limit === null ? '' : String(agent.ticket_limit);
  const [typed, setTyped] = useState<string | null>(null);
  const set = useSetAgent(agent);
  const limit = typed ?? saved;
  const isValid = /^\d*$/.test(limit) && limit !== '0' && Number(limit) <= MAX_TICKET_LIMIT;
  const saveLimit = () => {
    if (typed === null || !isValid) return;
    if (typed !== saved)
      set.mutate(
        { agent: agent.id, ticket_limit: typed === '' ? null : Number(typed) },
        { onSettled: () => setTyped(null) },
      );
    else setTyped(null);
  };
  return (
    <TextField
      label={`Limit of ${agent.name}`}
      isLabelHidden
      inputMode="numeric"
      placeholder="No limit"
      value={limit}
      error={isValid ? undefined : `A number from 1 to ${MAX_TICKET_LIMIT.toLocaleString('en')}`}
      onChange={({ target }) => setTyped(target.value.trim())}
      onBlur={saveLimit}
      onKeyDown={({ key }) => {
        if (key === 'Enter') saveLimit();
      }}
    />
  );
}

function Available({ agent }: { agent: AgentAvailability }) {
  const set = useSetAgent(agent);
  return (
    <Switch
      label={`${agent.name} is available`}
      isLabelHidden
      isOn={agent.available}
      onChange={(available) => set.mutate({ agent: agent.id, available })}
    />
  );
}
