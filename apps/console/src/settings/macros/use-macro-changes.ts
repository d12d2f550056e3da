import type { Macro } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { client, queryClient, trpc } from '../../api.ts';
import { macrosQuery, refreshMacros } from '../../macros/macro-queries.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';

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

function moved(macros: readonly Macro[], id: string, before: string | null): Macro[] {
  const macro = macros.find((each) => each.id === id)!;
  const others = macros.filter((each) => each !== macro);
  const at = before === null ? others.length : others.findIndex((each) => each.id === before);
  return others.toSpliced(at, 0, macro);
}
