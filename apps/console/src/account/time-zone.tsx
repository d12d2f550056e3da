import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { trpc } from '../api.ts';
import { accountQuery, useTimeZone } from '../session/account.ts';
import { reportError } from '../shell/report-error.ts';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/field.tsx';
import { Section } from './section.tsx';

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Sets the time zone of the account, in which the console shows all times. */
export function TimeZone() {
  const queries = useQueryClient();
  const zone = useTimeZone();
  const change = useMutation(
    trpc.account.setTimezone.mutationOptions({
      onSuccess(user) {
        queries.setQueryData(accountQuery().queryKey, (account) => account && { ...account, user });
        toast.success(`Times are now shown in ${user.timezone}`);
      },
      onError: (error) => reportError(error, 'Couldn’t change the time zone'),
    }),
  );
  const zones = [...new Set(['UTC', zone, browserZone, ...Intl.supportedValuesOf('timeZone')])].sort();
  return (
    <Section title="Time zone" description="The console shows all times in it.">
      <div className="flex flex-wrap items-end gap-3 p-4">
        <SelectField
          label="Time zone"
          isLabelHidden
          className="w-72 max-w-full"
          value={change.isPending ? change.variables.timezone : zone}
          onChange={({ target }) => change.mutate({ timezone: target.value })}
        >
          {zones.map((each) => (
            <option key={each} value={each}>
              {each.replaceAll('_', ' ')}
            </option>
          ))}
        </SelectField>
        {zone !== browserZone && (
          <Button disabled={change.isPending} onClick={() => change.mutate({ timezone: browserZone })}>
            Use this device’s: {browserZone.replaceAll('_', ' ')}
          </Button>
        )}
      </div>
    </Section>
  );
}
