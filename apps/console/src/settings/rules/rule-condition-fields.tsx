import { MAX_CHOICES, MAX_RULE_CONDITIONS, type ProfileCondition, writeChoice } from '@firmdesk/contract';
import { Trash2 } from 'lucide-react';
import { choiceOf, type FilterField, toggled } from '../../inbox/filters/filter-fields.ts';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { labelled, SelectField } from '../../ui/fields/select-field.tsx';
import { comparisonLabels, ruleFilterFields } from './rule-texts.ts';
import type { RuleValues } from './rule-values.ts';

type Conditions = Pick<RuleValues, 'filter' | 'words' | 'languages' | 'profile'>;

/** What must hold of the ticket, so that the rule does something: all of it. */
export function RuleConditionFields({
  values: { filter, words, languages, profile },
  onChange,
}: {
  values: Conditions;
  onChange(fields: Partial<Conditions>): void;
}) {
  const fields = ruleFilterFields(useSupportDirectory());
  const has = (name: string) => filter[name as keyof typeof filter] !== undefined;
  const chosen = fields.filter(({ name }) => has(name));
  const others = fields.filter(({ name, values }) => !has(name) && values.length > 0);
  const setFilter = (name: string, value: string | undefined) => {
    const { [name as keyof typeof filter]: _before, ...rest } = filter;
    // Every value is one of the contract.
    onChange({ filter: (value === undefined ? rest : { ...rest, [name]: value }) as typeof filter });
  };
  const setProfile = (index: number, change: Partial<ProfileCondition>) =>
    onChange({ profile: profile.map((each, at) => (at === index ? { ...each, ...change } : each)) });
  return (
    <fieldset className="space-y-3 rounded-lg border border-line p-3">
      <legend className="px-1 font-medium">If all of this holds</legend>
      {chosen.map((field) => (
        <FilterRow
          key={field.name}
          field={field}
          text={filter[field.name as keyof typeof filter] ?? ''}
          onChange={(value) => setFilter(field.name, value)}
        />
      ))}
      {others.length > 0 && (
        <SelectField
          label="Add a condition"
          className="max-w-56"
          value={null as (typeof others)[number]['name'] | null}
          choices={[[null, 'Choose…'], ...others.map(({ name, label }) => [name, label] as const)]}
          onValue={(value) => {
            const field = others.find(({ name }) => name === value);
            if (field) setFilter(field.name, field.values[0]!.value);
          }}
        />
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Text has one of"
          hint="In the message, the subject, or the trader’s name or address. Separate with commas."
          placeholder="refund, chargeback"
          value={words}
          onChange={({ target }) => onChange({ words: target.value })}
        />
        <TextField
          label="Trader’s language is one of"
          hint="For example en, de. Empty: any."
          autoCapitalize="none"
          value={languages}
          onChange={({ target }) => onChange({ languages: target.value })}
        />
      </div>
      {profile.map((condition, index) => (
        // They have no identity but their place.
        <div key={index} className="flex flex-wrap items-end gap-2">
          <TextField
            label={`Profile field ${index + 1}`}
            className="w-44"
            autoCapitalize="none"
            placeholder="country or /balance"
            value={condition.field}
            onChange={({ target }) => setProfile(index, { field: target.value })}
          />
          <SelectField
            label={`Comparison ${index + 1}`}
            className="w-32"
            value={condition.is}
            choices={labelled(comparisonLabels)}
            onValue={(is) => setProfile(index, { is })}
          />
          <TextField
            label={`Value ${index + 1}`}
            className="w-32"
            value={condition.value}
            onChange={({ target }) => setProfile(index, { value: target.value })}
          />
          <IconButton
            icon={Trash2}
            label={`Remove profile field ${index + 1}`}
            onClick={() => onChange({ profile: profile.toSpliced(index, 1) })}
          />
        </div>
      ))}
      {profile.length < MAX_RULE_CONDITIONS && (
        <Button
          onClick={() => onChange({ profile: [...profile, { field: 'country', is: 'equal', value: '' }] })}
        >
          Add a profile field
        </Button>
      )}
    </fieldset>
  );
}

/** A filter with the values that it can have. */
function FilterRow({
  field,
  text,
  onChange,
}: {
  field: FilterField;
  text: string;
  onChange(text: string | undefined): void;
}) {
  const { values, isExcluded } = choiceOf(field, text);
  const write = (next: readonly string[], excluded = isExcluded) =>
    onChange(writeChoice({ values: next, isExcluded: excluded }));
  return (
    <fieldset className="space-y-1">
      <legend className="font-medium">{field.label}</legend>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {field.kind === 'several' && (
          <SelectField
            label={`${field.label} is or is not`}
            isLabelHidden
            className="w-24"
            value={isExcluded}
            choices={[
              [false, 'is'],
              [true, 'is not'],
            ]}
            onValue={(isExcluded) => write(values, isExcluded)}
          />
        )}
        {field.values.map(({ value, label }) => (
          <label key={value} className="inline-flex min-h-8 items-center gap-1.5 pointer-coarse:min-h-11">
            <input
              type={field.kind === 'several' ? 'checkbox' : 'radio'}
              name={`filter-${field.name}`}
              className="size-4"
              checked={values.includes(value)}
              onChange={() => {
                if (field.kind !== 'several') onChange(value);
                else {
                  const next = toggled(field, values, value);
                  if (next.length <= MAX_CHOICES) write(next);
                }
              }}
            />
            {label}
          </label>
        ))}
        <IconButton
          icon={Trash2}
          label={`Remove the condition ${field.label}`}
          onClick={() => onChange(undefined)}
        />
      </div>
    </fieldset>
  );
}
