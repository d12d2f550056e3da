import type { TicketWithCan } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { Eye, EyeOff } from 'lucide-react';
import { client } from '../../api.ts';
import { announce } from '../../shell/announcer.tsx';
import { reportError } from '../../shell/report-error.ts';
import { IconButton } from '../../ui/button.tsx';
import { refetchTicket, showFollowing } from '../ticket-query.ts';

/** Returns a function that follows a ticket, or ends that. It is shown at once, until the service has answered. */
export function useFollow({ id, following }: Pick<TicketWithCan, 'id' | 'following'>): () => void {
  const { mutate } = useMutation({
    mutationFn: (next: boolean) => client.tickets.follow.mutate({ ticket: id, following: next }),
    onMutate: (next) => showFollowing(id, next),
    onSuccess: (_saved, next) =>
      announce(next ? 'You follow this ticket.' : 'You no longer follow this ticket.'),
    onError: (error, next) =>
      reportError(error, next ? 'Couldn’t follow the ticket' : 'Couldn’t unfollow the ticket'),
    // Also loads what a cancelled response would have shown.
    onSettled: () => refetchTicket(id),
  });
  return () => mutate(!following);
}

/** Follows a ticket: each new message of its trader notifies the account. */
export function FollowButton({ ticket }: { ticket: TicketWithCan }) {
  const follow = useFollow(ticket);
  const { following } = ticket;
  return (
    <IconButton
      icon={following ? EyeOff : Eye}
      label={following ? 'Unfollow' : 'Follow'}
      keys="f"
      onClick={follow}
    />
  );
}
