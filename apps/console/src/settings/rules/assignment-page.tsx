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
import { Choice, SelectField } from '../../ui/fields/select-field.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
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
        <div className="mx-auto max-w-3xl space-y-4 p-4">
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
    <section aria-labelledby="teams" className="space-y-3 rounded-lg border border-line bg-surface p-4">
      <h2 id="teams" className="font-semibold">
        Teams
      </h2>
      <p className="text-muted">
        A ticket that needs a reply and has no assignee goes to an agent of its team who is available and has
        room. Otherwise it stays in the team’s queue until one is. Tickets that you assign stay as you assign
        them.
      </p>
      {teams.length === 0 ? (
        <EmptyState title="No teams yet">Tickets are assigned to the members of a team.</EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {teams.map(({ id, name, mode, members, waiting }) => {
            const able = agents.filter((agent) => agent.available && members.includes(agent.id)).length;
            return (
              <li key={id} className="flex flex-wrap items-end justify-between gap-3 py-3">
                <div>
                  <p className="font-medium">{name}</p>
                  <p className="text-muted">
                    {able} of {members.length} available
                    {waiting > 0 && ` · ${waiting} waiting for an agent`}
                  </p>
                </div>
                <SelectField
                  label={`Assign tickets of ${name}`}
                  value={mode}
                  onValue={(value) =>
                    set.mutate({ team: id, mode: value as (typeof assignmentModes)[number] })
                  }
                >
                  {assignmentModes.map((each) => (
                    <Choice key={each} value={each}>
                      {modeLabels[each]}
                    </Choice>
                  ))}
                </SelectField>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

function Agents({ agents }: { agents: readonly AgentAvailability[] }) {
  return (
    <section aria-labelledby="agents" className="space-y-3 rounded-lg border border-line bg-surface p-4">
      <h2 id="agents" className="font-semibold">
        Agents
      </h2>
      <p className="text-muted">
        Agents who are away, or have as many open tickets as their limit, get no more by themselves. Agents
        set their own availability in the account menu.
      </p>
      <ul className="divide-y divide-line">
        {agents.map((agent) => (
          <Agent key={agent.id} agent={agent} />
        ))}
      </ul>
    </section>
  );
}

function Agent({ agent }: { agent: AgentAvailability }) {
  const saved = agent.ticket_limit === null ? '' : String(agent.ticket_limit);
  const [typed, setTyped] = useState<string | null>(null);
  const set = useMutation(
    trpc.tickets.assignment.setAgent.mutationOptions({
      onError: (error) => reportError(error, `Couldn’t change the availability of ${agent.name}`),
      onSettled: refresh,
    }),
  );
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
    <li className="flex flex-wrap items-center gap-4 py-3">
      <div className="flex min-w-40 flex-1 items-center gap-2">
        <Avatar name={agent.name} url={agent.avatar_url} />
        <div>
          <p className="font-medium">{agent.name}</p>
          <p className="text-muted">
            {agent.tickets} open {agent.tickets === 1 ? 'ticket' : 'tickets'}
          </p>
        </div>
      </div>
      <TextField
        label={`Limit of ${agent.name}`}
        inputMode="numeric"
        placeholder="No limit"
        className="w-36"
        value={limit}
        error={isValid ? undefined : `A number from 1 to ${MAX_TICKET_LIMIT.toLocaleString('en')}`}
        onChange={({ target }) => setTyped(target.value.trim())}
        onBlur={saveLimit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') saveLimit();
        }}
      />
      <Switch
        label={`${agent.name} is available`}
        isOn={agent.available}
        onChange={(available) => set.mutate({ agent: agent.id, available })}
      />
    </li>
  );
}
