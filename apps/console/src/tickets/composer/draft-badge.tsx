import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { draftListQuery } from './draft-sync.ts';

const none: ReadonlySet<string> = new Set();

/** The ids of the tickets on which the account has an unsent reply or note. */
export function useTicketsWithDraft(): ReadonlySet<string> {
  const { data } = useQuery({ ...draftListQuery(), select: ticketsOf });
  return data ?? none;
}

function ticketsOf({ data }: { data: readonly { ticket_id: string }[] }): ReadonlySet<string> {
  return new Set(data.map(({ ticket_id }) => ticket_id));
}

/** Marks a ticket on which the account has an unsent reply or note. */
export function DraftBadge() {
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-xs text-accent">
      <Pencil size={12} aria-hidden="true" />
      Draft
    </span>
  );
}
