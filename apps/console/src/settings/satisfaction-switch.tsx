import { useMutation, useQuery } from '@tanstack/react-query';
import { client, queryClient, trpc } from '../api.ts';
import { reportError } from '../shell/report-error.ts';
import { Switch } from '../ui/fields/switch.tsx';

/** Whether traders are asked how satisfied they were. Shown once it is known. */
export function SatisfactionSwitch() {
  const settings = useQuery(trpc.satisfaction.settings.queryOptions());
  const save = useMutation({
    mutationFn: (asks: boolean) => client.satisfaction.setSettings.mutate({ asks }),
    onSuccess: (saved) => queryClient.setQueryData(trpc.satisfaction.settings.queryKey(), saved),
    onError: (error) => reportError(error, 'Couldn’t change whether traders are asked'),
  });
  if (!settings.data) return null;
  return (
    <Switch
      label="Ask traders how satisfied they were"
      hint="By mail, half an hour after a ticket with an answer was resolved. Each ticket is rated once, from 1 to 5."
      isOn={save.isPending ? save.variables : settings.data.asks}
      isDisabled={save.isPending}
      onChange={(asks) => save.mutate(asks)}
    />
  );
}
