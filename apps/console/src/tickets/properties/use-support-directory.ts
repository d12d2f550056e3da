import { useQuery } from '@tanstack/react-query';
import { queryClient, trpc } from '../../api.ts';
import { idsMentionedIn } from '../composer/mentions.ts';

const directoryQuery = () => trpc.tickets.desk.queryOptions(undefined, { staleTime: 60_000 });

/** The firm's agents, teams and tags, once they are loaded. They need the permission to view tickets. */
export function useSupportDirectory(mayView = true) {
  return useQuery({ ...directoryQuery(), enabled: mayView }).data;
}

/** The agents who can be assigned; none until they are loaded. */
export function useAssignableAgents() {
  return (useSupportDirectory()?.agents ?? []).filter(({ may_answer }) => may_answer);
}

/** Returns the ids of the colleagues whom a note mentions. Without `@` it mentions nobody. */
export async function loadMentions(text: string): Promise<string[]> {
  return text.includes('@') ? idsMentionedIn(text, (await loadSupportDirectory()).agents) : [];
}

/** Returns the same, as it is in the cache if it was loaded before. */
export function loadSupportDirectory() {
  return queryClient.ensureQueryData(directoryQuery());
}
