import { useMutation, useQuery } from '@tanstack/react-query';
import { Section } from '../account/section.tsx';
import { client, queryClient, trpc } from '../api.ts';
import { usePermission } from '../session/account.ts';
import { reportError } from '../shell/report-error.ts';
import { Switch } from '../ui/fields/switch.tsx';

/** Whether the account gets the figures of each week by mail. Shown to those who can. */
export function WeeklyMail() {
  const settings = useQuery({
    ...trpc.reports.weeklyMail.queryOptions(),
    enabled: usePermission('view_reports'),
  });
  const save = useMutation({
    mutationFn: (gets_mail: boolean) => client.reports.setWeeklyMail.mutate({ gets_mail }),
    onSuccess: (saved) => queryClient.setQueryData(trpc.reports.weeklyMail.queryKey(), saved),
    onError: (error) => reportError(error, 'Couldn’t change the weekly report'),
  });
  const isOn = settings.data?.gets_mail ?? null;
  if (isOn === null) return null;
  return (
    <Section
      title="Weekly report"
      anchor="weekly-report"
      description="The figures of the firm’s support with those of the week before, by mail."
    >
      <div className="p-4">
        <Switch
          label="Mail me the report of each week"
          hint="On Monday morning in the firm’s time zone, unless nothing happened."
          isOn={save.isPending ? save.variables : isOn}
          isDisabled={save.isPending}
          onChange={(gets) => save.mutate(gets)}
        />
      </div>
    </Section>
  );
}
