import { type Scope, scopes } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api.ts';
import { useAccount } from '../../session/account.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { fieldError, formError } from '../../ui/field-errors.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

type KeyScope = Exclude<Scope, 'platform:write' | 'affiliates:write'>;

const keyScopes = scopes.filter(
  (scope): scope is KeyScope => scope !== 'platform:write' && scope !== 'affiliates:write',
);
const lifetimes = { '30': '30 days', '90': '90 days', '365': '1 year', '': 'Never' };

/** Creates an API key of the signed-in member. */
export function CreateKeyDialog({ onClose, onCreated }: { onClose(): void; onCreated(token: string): void }) {
  const { scopes: own } = useAccount();
  const [name, setName] = useState('');
  const [environment, setEnvironment] = useState<'live' | 'test'>('live');
  const [days, setDays] = useState('90');
  const [chosen, setChosen] = useState<readonly KeyScope[]>([]);
  const create = useMutation(
    trpc.firm.keys.create.mutationOptions({ onSuccess: ({ token }) => onCreated(token) }),
  );
  const problem = fieldError(create.error, 'scopes', 'Scopes');
  return (
    <FormDialog
      title="New API key"
      description="The key acts as you. Give it only the scopes that the program needs."
      isKeptOpen
      onClose={onClose}
      problem={formError(create.error, ['name', 'scopes'])}
      submitLabel="Create"
      busyLabel="Creating…"
      isBusy={create.isPending}
      onSubmit={() =>
        create.mutate({
          name,
          environment,
          scopes: [...chosen],
          expires_in_days: days === '' ? null : Number(days),
        })
      }
    >
      <TextField
        label="Name"
        required
        autoComplete="off"
        data-initial-focus
        maxLength={100}
        hint="For example the program that uses it."
        value={name}
        error={fieldError(create.error, 'name', 'The name')}
        onChange={({ target }) => setName(target.value)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Data"
          value={environment}
          onChange={({ target }) => setEnvironment(target.value as typeof environment)}
        >
          <option value="live">Live data</option>
          <option value="test">Test data</option>
        </SelectField>
        <SelectField label="Expires after" value={days} onChange={({ target }) => setDays(target.value)}>
          {Object.entries(lifetimes)
            .sort(([a], [b]) => (Number(a) || Number.MAX_VALUE) - (Number(b) || Number.MAX_VALUE))
            .map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
        </SelectField>
      </div>
      <fieldset className="rounded-lg border border-line p-3">
        <legend className="px-1 font-medium">Scopes</legend>
        <div className="grid gap-x-4 sm:grid-cols-2">
          {keyScopes.map((scope) => (
            <label key={scope} className="inline-flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
              <input
                type="checkbox"
                className="size-4"
                disabled={!own.includes(scope)}
                checked={chosen.includes(scope)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))
                }
              />
              <code className="text-xs">{scope}</code>
            </label>
          ))}
        </div>
        {problem && <p className="mt-1 text-danger">Choose at least one scope.</p>}
      </fieldset>
    </FormDialog>
  );
}
