import { useMutation, useQuery } from '@tanstack/react-query';
import { queryClient, trpc } from '../api.ts';
import { MenuChoice, MenuSeparator } from '../ui/overlays/menu.tsx';
import { reportError } from './report-error.ts';
import { toast } from './toast.ts';

/** Whether the agent gets tickets automatically. Staff of the service, who are in no team, do not have it. */
export default function AvailabilityChoice() {
  const mine = useQuery(trpc.tickets.assignment.mine.queryOptions(undefined, { retry: false }));
  const set = useMutation(
    trpc.tickets.assignment.setMine.mutationOptions({
      onSuccess(saved) {
        queryClient.setQueryData(trpc.tickets.assignment.mine.queryKey(), saved);
        toast.success(
          saved.available ? 'You are available for tickets' : 'You are away: no ticket is assigned to you',
        );
        void queryClient.invalidateQueries({ queryKey: trpc.tickets.assignment.pathKey() });
      },
      onError: (error) => reportError(error, 'Couldn’t change your availability'),
    }),
  );
  if (!mine.data) return null;
  return (
    <>
      {[true, false].map((available) => (
        <MenuChoice
          key={String(available)}
          isChosen={mine.data.available === available}
          onSelect={() => set.mutate({ available })}
        >
          {available ? 'Available' : 'Away'}
        </MenuChoice>
      ))}
      <MenuSeparator />
    </>
  );
}
