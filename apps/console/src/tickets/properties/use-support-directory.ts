import { useQuery } from '@tanstack/react-query';
import { queryClient, trpc } from '../../api.ts';
import { useAccount } from '../../session/account.ts';
import { rankByName } from '../../shell/rank-commands.ts';
import { idsMentionedIn } from '../composer/mentions.ts';

const directoryQuery = () => trpc.tickets.desk.queryOptions(undefined, { staleTime: 60_000 });

/** The firm's agents, teams and tags, once they are loaded. They need the permission to view tickets. */
export function useSupportDirectory(mayView = true) {
  return useQuery({ ...directoryQuery(), enabled: mayView }).data;
}

/** The agents who can be assigned, the user first; none until they are loaded. */
export function useAssignableAgents() {
  const { user } = useAccount();
  const agents = (useSupportDirectory()?.agents ?? []).filter(({ may_answer }) => may_answer);
  return agents.sort((a, b) => Number(b.id === user.id) - Number(a.id === user.id));
}

/** Returns the agents whose name or address has the words of a text, best first. */
export function agentsNamed<Agent extends { name: string; email: string }>(
  agents: readonly Agent[],
  text: string,
): Agent[] {
  const named = agents.map((agent) => ({ agent, name: `${agent.name} ${agent.email}` }));
  return rankByName(named, text).map(({ agent }) => agent);
}

/** Returns the ids of the colleagues whom a note mentions. Without `@` it mentions nobody. */
export async function loadMentions(text: string): Promise<string[]> {
  return text.includes('@') ? idsMentionedIn(text, (await loadSupportDirectory()).agents) : [];
}

/** Returns the same, as it is in the cache if it was loaded before. */
export function loadSupportDirectory() {
  return queryClient.ensureQueryData(directoryQuery());
}
