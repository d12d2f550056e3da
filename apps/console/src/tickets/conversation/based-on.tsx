import type { TicketMessage } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api.ts';

/** Names the articles on which a reply of the assistant is based. Traders do not see them. */
export function BasedOn({ message }: { message: TicketMessage }) {
  // The articles of a reply do not change, so only a reply that is not known asks again.
  const used = useQuery({
    ...trpc.knowledge.used.queryOptions({ ticket: message.ticket_id }),
    staleTime: 60_000,
    refetchOnMount: (query) => !query.state.data?.data.some((one) => one.message === message.id),
  });
  const articles = used.data?.data.find((one) => one.message === message.id)?.articles ?? [];
  if (articles.length === 0) return null;
  return <p className="mt-1 text-xs text-muted">Based on: {articles.map(({ title }) => title).join(', ')}</p>;
}
