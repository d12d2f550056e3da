import {
  MAX_RULE_TEXT,
  type Mailbox,
  type MailRule,
  mailRuleFolders,
  type RuleTrial,
} from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client } from '../../../api.ts';
import { toast } from '../../../shell/toast.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/fields/field.tsx';
import { fieldError, formError } from '../../../ui/fields/field-errors.ts';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import { folderLabels } from '../../folders.ts';
import { tagsQuery } from '../../mail-queries.ts';
import type { RuleValues } from './rule-values.ts';
import { useShowRules } from './use-rules.ts';

/** Adds a rule, or changes one, and tries it on the mail that has come. */
export function RuleDialog({
  mailbox,
  rule,
  values,
  onChange,
  onClose,
  onSaved,
}: {
  mailbox: Mailbox;
  rule: MailRule | null;
  values: RuleValues;
  onChange(fields: Partial<RuleValues>): void;
  onClose(): void;
  onSaved(): void;
}) {
  const show = useShowRules(mailbox.id);
  const { from, to, subject, has_attachment } = values;
  const save = useMutation({
    mutationFn: () =>
      client.mail.rules.save.mutate({
        address_id: mailbox.id,
        ...(rule && { id: rule.id }),
        ...values,
        forward_to: values.forward_to.trim() || null,
      }),
    onSuccess(rules) {
      show(rules);
      toast.success('Rule saved');
      onSaved();
    },
  });
  const trial = useMutation({
    mutationFn: () =>
      client.mail.rules.try.query({ address_id: mailbox.id, from, to, subject, has_attachment }),
  });
  // A trial says nothing about other conditions.
  const changeCondition = (fields: Partial<RuleValues>) => {
    trial.reset();
    onChange(fields);
  };
  const error = save.error ?? trial.error;
  const text = (name: 'from' | 'to' | 'subject', label: string) => (
    <TextField
      label={label}
      maxLength={MAX_RULE_TEXT}
      autoCapitalize="none"
      value={values[name]}
      error={fieldError(error, name, label)}
      onChange={({ target }) => changeCondition({ [name]: target.value })}
    />
  );
  return (
    <FormDialog
      title={rule ? 'Edit rule' : 'New rule'}
      isKeptOpen
      onClose={onClose}
      problem={formError(error, ['from', 'to', 'subject', 'folder', 'forward_to', 'add_tags'])}
      submitLabel="Save"
      busyLabel="Saving…"
      isBusy={save.isPending}
      onSubmit={() => {
        trial.reset();
        save.mutate();
      }}
    >
      <fieldset className="space-y-3 rounded-lg border border-line p-3">
        <legend className="px-1 font-medium">If a message has all of this</legend>
        <div className="grid gap-3 sm:grid-cols-3">
          {text('from', 'From contains')}
          {text('to', 'To or Cc contains')}
          {text('subject', 'Subject contains')}
        </div>
        <Check
          label="Has an attachment"
          isOn={has_attachment}
          onChange={(has_attachment) => changeCondition({ has_attachment })}
        />
        <Button
          disabled={trial.isPending}
          onClick={() => {
            save.reset();
            trial.mutate();
          }}
        >
          {trial.isPending ? 'Trying…' : 'Try on existing mail'}
        </Button>
        <div role="status">{trial.data && <Trial trial={trial.data} />}</div>
      </fieldset>
      <fieldset className="space-y-3 rounded-lg border border-line p-3">
        <legend className="px-1 font-medium">Then</legend>
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField
            label="Folder"
            value={values.folder}
            choices={[
              [null, 'Leave in the inbox'],
              ...mailRuleFolders.map((folder) => [folder, folderLabels[folder]] as const),
            ]}
            onValue={(folder) => onChange({ folder })}
          />
          <TextField
            type="email"
            label="Forward to"
            hint="Another mailbox of the firm. Not for automatic mail."
            value={values.forward_to}
            error={fieldError(error, 'forward_to', 'The address')}
            onChange={({ target }) => onChange({ forward_to: target.value })}
          />
        </div>
        {fieldError(error, 'folder', 'Folder') && (
          <p className="text-danger">Choose at least one thing to do.</p>
        )}
        <div className="flex flex-wrap gap-x-4">
          <Check
            label="Mark as read"
            isOn={values.mark_read}
            onChange={(mark_read) => onChange({ mark_read })}
          />
          <Check label="Star" isOn={values.star} onChange={(star) => onChange({ star })} />
        </div>
        <Tags chosen={values.add_tags} onChange={(add_tags) => onChange({ add_tags })} />
        {fieldError(error, 'add_tags', 'Tags') && (
          <p className="text-danger">{fieldError(error, 'add_tags', 'Tags')}</p>
        )}
      </fieldset>
    </FormDialog>
  );
}

function Trial({ trial: { examined, matched, messages } }: { trial: RuleTrial }) {
  return (
    <>
      <p>
        {matched} of the newest {examined} received messages match.
      </p>
      <ul className="mt-1 max-h-40 divide-y divide-line overflow-y-auto">
        {messages.map(({ id, from, subject, message_at }) => (
          <li key={id} className="flex gap-2 py-1">
            <span className="w-2/5 truncate">{from.name || from.email}</span>
            <span className="min-w-0 flex-1 truncate text-muted">{subject || 'No subject'}</span>
            <Timestamp at={message_at} className="shrink-0 text-muted" />
          </li>
        ))}
      </ul>
    </>
  );
}

function Tags({ chosen, onChange }: { chosen: readonly number[]; onChange(tags: number[]): void }) {
  const { data: tags = [] } = useQuery(tagsQuery());
  if (tags.length === 0) return null;
  return (
    <fieldset>
      <legend className="mb-1 font-medium">Add tags</legend>
      <div className="flex max-h-28 flex-wrap gap-x-4 overflow-y-auto">
        {tags.map(({ id, name }) => (
          <Check
            key={id}
            label={name}
            isOn={chosen.includes(id)}
            onChange={(isOn) => onChange(isOn ? [...chosen, id] : chosen.filter((each) => each !== id))}
          />
        ))}
      </div>
    </fieldset>
  );
}

function Check({ label, isOn, onChange }: { label: string; isOn: boolean; onChange(isOn: boolean): void }) {
  return (
    <label className="inline-flex min-h-8 items-center gap-1.5 pointer-coarse:min-h-11">
      <input
        type="checkbox"
        className="size-4"
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  );
}
