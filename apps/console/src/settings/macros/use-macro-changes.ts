import { useMutation } from '@tanstack/react-query';
import { client, queryClient, trpc } from '../../api.ts';
import { macrosQuery, refreshMacros } from '../../macros/macro-queries.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { moved } from '../../ui/overlays/row-menu.tsx';

/** Deletes a macro. */
export function useDeleteMacro() {
  return useMutation(
    trpc.macros.delete.mutationOptions({
      onSuccess: () => toast.success('Macro deleted'),
      onError: (error) => reportError(error, 'Couldn’t delete the macro'),
      onSettled: refreshMacros,
    }),
  );
}

/** Moves a macro by one place. It is shown there at once. */
export function useMoveMacro() {
  return useMutation({
    mutationFn: ({ id, before }: { id: string; before: string | null }) =>
      client.macros.move.mutate({ id, before }),
    async onMutate({ id, before }) {
      const { queryKey } = macrosQuery('all');
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, (macros) => macros && moved(macros, id, before));
    },
    onError: (error) => reportError(error, 'Couldn’t move the macro'),
    onSettled: refreshMacros,
  });
}
