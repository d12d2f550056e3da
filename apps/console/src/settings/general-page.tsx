import { type FirmSettings, MAX_AUDIT_DAYS, MIN_AUDIT_DAYS } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { queryClient, trpc } from '../api.ts';
import { accountQuery } from '../session/account.ts';
import { toast } from '../shell/toast.ts';
import { Button } from '../ui/button.tsx';
import { FormError, TextField } from '../ui/fields/field.tsx';
import { fieldError, formError } from '../ui/fields/field-errors.ts';
import { SelectField } from '../ui/fields/select-field.tsx';
import { Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { ZoneField } from '../ui/time/zone-field.tsx';
import { useKept } from '../ui/use-kept.ts';
import { LogoField } from './logo-field.tsx';
import { SetupSteps, useSetup } from './setup-steps.tsx';
import { useLiveFirm } from './use-live-firm.ts';

/** The general settings of the firm. */
export function GeneralPage() {
  const settings = useQuery(trpc.firm.settings.get.queryOptions());
  const setup = useSetup();
  useLiveFirm('settings');
  return (
    <Page title="General">
      <div className="mx-auto max-w-2xl space-y-6 p-4">
        {setup && setup.done.size < setup.shown.length && <SetupSteps setup={setup} />}
        {settings.data ? (
          <SettingsForm settings={settings.data} />
        ) : settings.isError ? (
          <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
        ) : (
          <LoadingRows label="Loading the settings" rows={4} />
        )}
      </div>
    </Page>
  );
}

type Values = Partial<Omit<FirmSettings, 'object' | 'logo_url'>>;

function SettingsForm({ settings }: { settings: FirmSettings }) {
  // What was typed stays while another page is shown, and only that is saved.
  const [typed, setTyped] = useKept<Values>('general');
  const values = { ...settings, ...typed };
  const change = (next: Values) => setTyped((before) => ({ ...before, ...next }));
  const save = useMutation(
    trpc.firm.settings.set.mutationOptions({
      async onSuccess(saved) {
        setTyped(() => null);
        queryClient.setQueryData(trpc.firm.settings.get.queryKey(), saved);
        toast.success('Settings saved');
        await queryClient.invalidateQueries({ queryKey: accountQuery().queryKey });
      },
    }),
  );
  const error = (path: keyof Values, label: string) => fieldError(save.error, path, label);
  const submit = () => {
    save.mutate(typed ?? {});
  };
  return (
    <Form isBusy={save.isPending} onSubmit={submit} className="space-y-4">
      <LogoField url={settings.logo_url} />
      <TextField
        label="Name of the firm"
        required
        autoComplete="organization"
        maxLength={100}
        value={values.name}
        error={error('name', 'The name')}
        onChange={({ target }) => change({ name: target.value })}
      />
      <TextField
        label="Language"
        required
        autoComplete="off"
        hint="Such as en or pt-BR. Of invites, and of accounts that join with one."
        value={values.language}
        error={error('language', 'The language')}
        onChange={({ target }) => change({ language: target.value })}
      />
      <ZoneField
        label="Time zone of new accounts"
        value={values.timezone}
        onChange={(timezone) => change({ timezone })}
      />
      <SelectField
        label="Push notifications show"
        value={values.push_content}
        choices={[
          ['full', 'Who writes and about what'],
          ['none', 'Only that there is something new'],
        ]}
        onValue={(push_content) => change({ push_content })}
      />
      <TextField
        label="Days for which the audit log is kept"
        type="number"
        min={MIN_AUDIT_DAYS}
        max={MAX_AUDIT_DAYS}
        hint={`From ${MIN_AUDIT_DAYS} to ${MAX_AUDIT_DAYS}. Older entries are deleted.`}
        value={Number.isNaN(values.audit_days) ? '' : values.audit_days}
        error={error('audit_days', 'The number of days')}
        onChange={({ target }) => change({ audit_days: target.valueAsNumber })}
      />
      <FormError message={formError(save.error, ['name', 'language', 'audit_days'])} />
      <Button type="submit" variant="solid" disabled={save.isPending || typed === null}>
        {save.isPending ? 'Saving…' : 'Save'}
      </Button>
    </Form>
  );
}
