import { type Scope, scopes } from '@firmdesk/contract';
import { useState } from 'react';
import { client } from '../../api.ts';
import { useAccount } from '../../session/account.ts';
import { CheckboxList } from '../../ui/fields/checkbox-list.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SaveDialog } from '../../ui/overlays/save-dialog.tsx';

type KeyScope = Exclude<Scope, 'platform:write' | 'affiliates:write'>;

const keyScopes = scopes.filter(
  (scope): scope is KeyScope => scope !== 'platform:write' && scope !== 'affiliates:write',
);
const lifetimes = [
  [30, '30 days'],
  [90, '90 days'],
  [365, '1 year'],
  [null, 'Never'],
] as const;

/** Creates an API key of the signed-in member. */
export function CreateKeyDialog({ onClose, onCreated }: { onClose(): void; onCreated(token: string): void }) {
  const { scopes: own } = useAccount();
  const [name, setName] = useState('');
  const [environment, setEnvironment] = useState<'live' | 'test'>('live');
  const [days, setDays] = useState<number | null>(90);
  const [chosen, setChosen] = useState<readonly KeyScope[]>([]);
  return (
    <SaveDialog
      title="New API key"
      description="The key acts as you. Give it only the scopes that the program needs."
      onClose={onClose}
      fields={['name', 'scopes']}
      submitLabel="Create"
      busyLabel="Creating…"
      save={() =>
        client.firm.keys.create.mutate({
          name,
          environment,
          scopes: [...chosen],
          expires_in_days: days,
        })
      }
      onSaved={({ token }) => onCreated(token)}
    >
      {(error) => (
        <>
          <TextField
            label="Name"
            required
            autoComplete="off"
            data-initial-focus
            maxLength={100}
            hint="For example the program that uses it."
            value={name}
            error={error('name', 'The name')}
            onChange={({ target }) => setName(target.value)}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              label="Data"
              value={environment}
              choices={[
                ['live', 'Live data'],
                ['test', 'Test data'],
              ]}
              onValue={setEnvironment}
            />
            <SelectField label="Expires after" value={days} choices={lifetimes} onValue={setDays} />
          </div>
          <CheckboxList
            legend="Scopes"
            choices={keyScopes.map((value) => ({
              value,
              label: <code className="text-xs">{value}</code>,
              isDisabled: !own.includes(value),
            }))}
            chosen={chosen}
            error={error('scopes', 'Scopes') && 'Choose at least one scope.'}
            onChange={setChosen}
          />
        </>
      )}
    </SaveDialog>
  );
}
