import {
  MAX_RULE_MINUTES,
  MAX_RULE_NAME,
  type RulePreview,
  type RuleTrigger,
  ruleProperties,
  type TicketRule,
} from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../../api.ts';
import { toast } from '../../shell/toast.ts';
import { Button } from '../../ui/button.tsx';
import { FormError, TextField } from '../../ui/fields/field.tsx';
import { fieldError, formError } from '../../ui/fields/field-errors.ts';
import { labelled, SelectField } from '../../ui/fields/select-field.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { RuleActionFields } from './rule-action-fields.tsx';
import { RuleConditionFields } from './rule-condition-fields.tsx';
import { propertyLabels, triggerLabels } from './rule-texts.ts';
import { inputOfRule, newTrigger, type RuleValues } from './rule-values.ts';

/** Creates a rule, or changes one. It can be compared with the latest tickets first. */
export function RuleDialog({
  rule,
  values,
  onChange,
  onClose,
  onSaved,
}: {
  rule: TicketRule | null;
  values: RuleValues;
  onChange(fields: Partial<RuleValues>): void;
  onClose(): void;
  onSaved(): void;
}) {
  const save = useMutation({
    mutationFn: () => {
      const input = inputOfRule(values);
      return rule
        ? client.tickets.rules.update.mutate({ id: rule.id, ...input })
        : client.tickets.rules.create.mutate(input);
    },
    onSuccess({ name }) {
      toast.success(`“${name}” saved`);
      onSaved();
    },
  });
  const preview = useMutation({
    mutationFn: () => {
      const { trigger, conditions } = inputOfRule(values);
      return client.tickets.rules.preview.query({ trigger, conditions });
    },
  });
  const change = (fields: Partial<RuleValues>) => {
    preview.reset();
    onChange(fields);
  };
  return (
    <FormDialog
      title={rule ? 'Edit rule' : 'New rule'}
      isKeptOpen
      onClose={onClose}
      problem={formError(save.error, ['name'])}
      submitLabel="Save"
      busyLabel="Saving…"
      isBusy={save.isPending}
      onSubmit={() => save.mutate()}
    >
      <TextField
        label="Name"
        required
        maxLength={MAX_RULE_NAME}
        value={values.name}
        error={fieldError(save.error, 'name', 'The name')}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <Trigger trigger={values.trigger} onChange={(trigger) => change({ trigger })} />
      <RuleConditionFields values={values} onChange={change} />
      <RuleActionFields actions={values.actions} onChange={(actions) => onChange({ actions })} />
      <Switch
        label="Stop after this rule"
        hint="The rules below it don’t run for the same event."
        isOn={values.stops}
        onChange={(stops) => onChange({ stops })}
      />
      <section aria-label="Dry run" className="space-y-2">
        <Button disabled={preview.isPending} onClick={() => preview.mutate()}>
          {preview.isPending ? 'Comparing…' : 'Dry run'}
        </Button>
        <FormError message={formError(preview.error, [])} />
        {preview.data && <Preview preview={preview.data} trigger={values.trigger} />}
      </section>
    </FormDialog>
  );
}

function Trigger({ trigger, onChange }: { trigger: RuleTrigger; onChange(trigger: RuleTrigger): void }) {
  return (
    <div className="flex flex-wrap items-end gap-3">
      <SelectField
        label="When"
        className="w-56"
        value={trigger.on}
        choices={labelled(triggerLabels)}
        onValue={(on) => onChange(newTrigger(on))}
      />
      {trigger.on === 'property_changed' && (
        <SelectField
          label="Property"
          className="w-40"
          value={trigger.property}
          choices={ruleProperties.map((property) => [property, propertyLabels[property]])}
          onValue={(property) => onChange({ ...trigger, property })}
        />
      )}
      {trigger.on === 'waiting' && (
        <>
          <SelectField
            label="For"
            className="w-36"
            value={trigger.for}
            choices={[
              ['team', 'A reply'],
              ['trader', 'The trader'],
            ]}
            onValue={(value) => onChange({ ...trigger, for: value })}
          />
          <TextField
            label="Minutes"
            type="number"
            className="w-28"
            min={1}
            max={MAX_RULE_MINUTES}
            value={trigger.minutes || ''}
            onChange={({ target }) => onChange({ ...trigger, minutes: Number(target.value) })}
          />
        </>
      )}
    </div>
  );
}

const MAX_SHOWN = 10;

function Preview({
  preview: { compared, matches },
  trigger,
}: {
  preview: RulePreview;
  trigger: RuleTrigger;
}) {
  const isTimed = trigger.on === 'waiting' || trigger.on === 'sla_breached';
  return (
    <div role="status" className="rounded-md border border-line bg-surface px-3 py-2">
      <p>
        The conditions hold for {matches.length} of the last {compared} tickets, as they are now. Nothing was
        changed.
        {isTimed &&
          ' Once saved, the rule runs for tickets whose time is not over yet; it leaves those alone whose time is over already.'}
      </p>
      <ul className="mt-1 text-muted">
        {matches.slice(0, MAX_SHOWN).map(({ id, number, subject, runs_at }) => (
          <li key={id} className="truncate">
            <Link to="/tickets/$ticket" params={{ ticket: id }} className="underline" target="_blank">
              {number}
            </Link>{' '}
            {subject}
            {runs_at !== null && (
              <>
                {' – runs '}
                <Timestamp at={runs_at} />
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
