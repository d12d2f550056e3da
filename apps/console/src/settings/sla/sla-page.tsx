import type { SetSlaPolicyInput, SlaPolicy } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { loadFormChecks } from '../../forms/load-form-checks.ts';
import { callNowOrLater, useUnsavedInputs } from '../../outbox/calls.ts';
import { isSignedOut, usePermission, useTimeZone } from '../../session/account.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { useStoredValue } from '../../stored-value.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { formError } from '../../ui/fields/field-errors.ts';
import { focusUnread, useFocusInvalid } from '../../ui/fields/focus-invalid.ts';
import { NotSaved } from '../../ui/overlays/not-saved.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { useKept } from '../../ui/use-kept.ts';
import { ViewOnly } from '../view-only.tsx';
import { BusinessHoursFields } from './business-hours-fields.tsx';
import { rejectedSla } from './rejected-sla.ts';
import { changedValues, changeValues, parsePolicy, type TypedValues, valuesOfPolicy } from './sla-values.ts';
import { TargetsTable } from './targets-table.tsx';

/** The firm’s SLA policy: targets and business hours. */
export function SlaPage() {
  const settings = useQuery(trpc.tickets.serviceTargets.get.queryOptions());
  const unsaved = useUnsavedInputs<SetSlaPolicyInput>('tickets.serviceTargets.set');
  useLiveSla();
  return (
    <Page title="SLA">
      {settings.data ? (
        <Form settings={{ ...settings.data, ...unsaved.at(-1) }} isUnsaved={unsaved.length > 0} />
      ) : settings.isError ? (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      ) : (
        <LoadingRows label="Loading the SLA" rows={5} />
      )}
    </Page>
  );
}

function Form({ settings, isUnsaved }: { settings: SlaPolicy; isUnsaved: boolean }) {
  const canManage = usePermission('manage_assistant');
  const zone = useTimeZone();
  // A colleague who saves changes only the fields that were not typed in.
  const [typed, setTyped] = useKept<TypedValues>('sla');
  const [problems, setProblems] = useState<Record<string, string>>({});
  const rejected = useStoredValue(rejectedSla());
  const putBack = useMemo(
    () =>
      (rejected ?? []).reduce<TypedValues>((before, { expected, ...saved }) => {
        const after = valuesOfPolicy(saved, zone);
        return changeValues(before, expected ? changedValues(valuesOfPolicy(expected, zone), after) : after);
      }, {}),
    [rejected, zone],
  );
  const values = changeValues(changeValues(valuesOfPolicy(settings, zone), putBack), typed);
  const save = useMutation({
    mutationFn: (input: SetSlaPolicyInput) => callNowOrLater('tickets.serviceTargets.set', input),
    onSuccess(saved) {
      if (!saved) return;
      queryClient.setQueryData(trpc.tickets.serviceTargets.get.queryKey(), saved);
      toast.success('SLA saved');
    },
    onError: refreshSla,
  });
  const problem = formError(save.error, []);
  const form = useRef<HTMLFormElement>(null);
  useFocusInvalid(form, problems);
  useEffect(loadFormChecks, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (focusUnread(form.current!)) return;
    const parsed = parsePolicy(values);
    setProblems('problems' in parsed ? parsed.problems : {});
    // What is typed while it is being saved stays.
    const onSuccess = () => {
      setTyped((now) => (now === typed ? null : now));
      rejectedSla().set(null);
    };
    const { targets, warn_minutes, hours } = settings;
    if ('input' in parsed)
      save.mutate({ ...parsed.input, expected: { targets, warn_minutes, hours } }, { onSuccess });
  };
  const fields = {
    values,
    problems,
    isDisabled: !canManage,
    onChange: (change: TypedValues) => setTyped((before) => changeValues(before ?? {}, change)),
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="mx-auto max-w-2xl space-y-4 p-4">
      {!canManage && <ViewOnly />}
      {isUnsaved && <NotSaved />}
      {canManage && rejected && (
        <div className="flex flex-wrap items-center gap-3 rounded-md border border-line bg-surface px-4 py-3">
          <p className="grow text-warning">
            Your last changes were not saved. They are in the form: check them, then save again.
          </p>
          <Button onClick={() => rejectedSla().set(null)}>Discard them</Button>
        </div>
      )}
      <section aria-labelledby="targets" className="space-y-3 rounded-lg border border-line bg-surface p-4">
        <h2 id="targets" className="font-semibold">
          Targets
        </h2>
        <p className="text-muted">
          Time in which a ticket that needs a reply is answered first, and resolved. Enter a time such as 30m,
          4h or 1h 30m. Leave a field empty for no target.
        </p>
        <TargetsTable {...fields} />
        <TextField
          label="Notify before a target is missed"
          className="max-w-56"
          hint="Such as 15m. Empty: no notification."
          placeholder="Never"
          value={values.warn}
          disabled={!canManage}
          error={problems['warn']}
          onChange={({ target }) => fields.onChange({ warn: target.value })}
        />
      </section>
      <BusinessHoursFields {...fields} />
      {canManage && (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            type="submit"
            variant="solid"
            className="h-9"
            disabled={(typed === null && !rejected) || save.isPending}
          >
            Save
          </Button>
          {typed !== null && !save.isPending && (
            <Button variant="quiet" className="h-9" onClick={() => setTyped(() => null)}>
              Discard changes
            </Button>
          )}
          {problem && (
            <p role="alert" className="text-danger">
              {problem}
            </p>
          )}
        </div>
      )}
    </form>
  );
}

function refreshSla(): void {
  void queryClient.invalidateQueries(trpc.tickets.serviceTargets.get.pathFilter());
}

/** Loads the policy again when a colleague has changed them. */
function useLiveSla(): void {
  useEffect(() => {
    const following = client.tickets.serviceTargets.live.subscribe(
      {},
      {
        // What was loaded before the stream started may be older.
        onStarted: refreshSla,
        onData: refreshSla,
        onError(error) {
          if (!isSignedOut(error)) reportError(error, 'Live updates of the SLA stopped');
        },
      },
    );
    return () => following.unsubscribe();
  }, []);
}
