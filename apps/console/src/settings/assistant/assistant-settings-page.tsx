import type { AssistantSettings } from '@firmdesk/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../../api.ts';
import { callNowOrLater, useUnsavedInputs } from '../../outbox/calls.ts';
import { outbox } from '../../outbox/outbox.ts';
import { usePermission } from '../../session/account.ts';
import { toast } from '../../shell/toast.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { fieldError, formError } from '../../ui/fields/field-errors.ts';
import { Switch } from '../../ui/fields/switch.tsx';
import { Form } from '../../ui/form.tsx';
import { NotSaved } from '../../ui/overlays/not-saved.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { LOCALE } from '../../ui/time/time.ts';
import { useKept } from '../../ui/use-kept.ts';
import { ViewOnly } from '../view-only.tsx';
import { Articles } from './articles.tsx';
import { Guide } from './guide-form.tsx';
import { TryAssistant } from './try-assistant.tsx';
import { UsageByDay } from './usage-by-day.tsx';

const count = new Intl.NumberFormat(LOCALE);
const share = new Intl.NumberFormat(LOCALE, { style: 'percent' });

/** Settings of the firm's assistant: whether the team may use it, and its monthly allowance. */
export function AssistantSettingsPage() {
  const settings = useQuery(trpc.tickets.assistantSettings.queryOptions());
  const unsaved = useUnsavedInputs<Partial<AssistantSettings>>('tickets.updateAssistantSettings');
  return (
    <Page title="Assistant settings">
      {settings.data ? (
        <Settings settings={Object.assign({ ...settings.data }, ...unsaved)} isUnsaved={unsaved.length > 0} />
      ) : settings.isError ? (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      ) : (
        <LoadingRows label="Loading the assistant’s settings" rows={3} />
      )}
    </Page>
  );
}

function Settings({ settings, isUnsaved }: { settings: AssistantSettings; isUnsaved: boolean }) {
  const canManage = usePermission('manage_assistant');
  return (
    <div className="mx-auto max-w-2xl space-y-4 p-4">
      {!canManage && <ViewOnly />}
      {isUnsaved && <NotSaved />}
      <section aria-label="Team access" className="rounded-lg border border-line bg-surface p-4">
        <TeamSwitch isOn={settings.enabled_for_team} canManage={canManage} />
      </section>
      <section aria-labelledby="allowance" className="space-y-4 rounded-lg border border-line bg-surface p-4">
        <h2 id="allowance" className="font-semibold">
          Allowance
        </h2>
        <Usage used={settings.used} allowance={settings.monthly_allowance} />
        <UsageByDay days={settings.days} />
        {canManage && (
          <AllowanceForm key={settings.monthly_allowance} allowance={settings.monthly_allowance} />
        )}
      </section>
      <Guide canManage={canManage} />
      <Articles canManage={canManage} />
      {canManage && <TryAssistant />}
    </div>
  );
}

function TeamSwitch({ isOn, canManage }: { isOn: boolean; canManage: boolean }) {
  return (
    <Switch
      label="Allow agents to use AI"
      hint="When off, agents can’t ask for a reply. Replies in progress will finish."
      isOn={isOn}
      isDisabled={!canManage}
      onChange={(enabled_for_team) =>
        outbox().add({
          kind: 'call',
          procedure: 'tickets.updateAssistantSettings',
          input: { enabled_for_team },
        })
      }
    />
  );
}

/** Shows how much of the month's allowance is used, as a bar and as text. */
function Usage({ used, allowance }: { used: number; allowance: number }) {
  const ratio = allowance === 0 ? 1 : Math.min(1, used / allowance);
  const left = Math.max(0, allowance - used);
  const summary =
    allowance === 0
      ? 'The allowance is 0, so the assistant sends no replies.'
      : left === 0
        ? `All ${count.format(allowance)} replies of this month are used. The assistant replies again next month, or after the allowance is raised.`
        : `${count.format(used)} of ${count.format(allowance)} replies used this month (${share.format(ratio)}), ${count.format(left)} left.`;
  return (
    <div>
      <meter className="sr-only" aria-label="Used this month" min={0} max={allowance} value={used}>
        {summary}
      </meter>
      <div
        aria-hidden="true"
        className="h-2.5 overflow-hidden rounded-full border border-line-strong bg-canvas"
      >
        <div
          className={
            left === 0
              ? 'h-full bg-danger forced-colors:bg-[Highlight]'
              : 'h-full bg-accent-solid forced-colors:bg-[Highlight]'
          }
          style={{ width: `${ratio * 100}%` }}
        />
      </div>
      <p className={left === 0 ? 'mt-2 text-danger' : 'mt-2 text-muted'}>{summary}</p>
      <p className="text-muted">Resets on the 1st (UTC).</p>
    </div>
  );
}

function AllowanceForm({ allowance }: { allowance: number }) {
  const [typed, setTyped] = useKept<string>('allowance');
  const text = typed ?? String(allowance);
  const setText = (next: string | null) => setTyped(() => next);
  const queries = useQueryClient();
  const update = useMutation({
    mutationFn: () => callNowOrLater('tickets.updateAssistantSettings', { monthly_allowance: Number(text) }),
    onSuccess(settings) {
      setText(null);
      if (!settings) return;
      queries.setQueryData(trpc.tickets.assistantSettings.queryKey(), settings);
      toast.success(`Allowance set to ${count.format(settings.monthly_allowance)} replies per month`);
    },
  });
  const submit = () => {
    update.mutate();
  };
  const formMessage = formError(update.error, ['monthly_allowance']);
  return (
    <Form isBusy={update.isPending} onSubmit={submit} className="flex flex-wrap items-start gap-3">
      <TextField
        label="Replies per month"
        type="number"
        inputMode="numeric"
        min={0}
        className="w-48"
        value={text}
        error={fieldError(update.error, 'monthly_allowance', 'The allowance') ?? formMessage ?? undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <Button
        type="submit"
        variant="solid"
        className="mt-6 h-9"
        disabled={text.trim() === '' || Number(text) === allowance || update.isPending}
      >
        Save
      </Button>
    </Form>
  );
}
