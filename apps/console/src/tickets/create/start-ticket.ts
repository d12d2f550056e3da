import { client } from '../../api.ts';
import { loadMentions } from '../properties/use-support-directory.ts';

type Start = typeof client.tickets.start.mutate;

/** Opens a ticket for a trader. Finds the colleagues whom its note mentions, if they were not loaded when it was written. */
export async function startTicket(input: Parameters<Start>[0], options: Parameters<Start>[1]) {
  const { kind, body } = input;
  const mentions = input.mentions ?? (kind === 'note' ? await loadMentions(body) : []);
  return client.tickets.start.mutate({ ...input, mentions }, options);
}
