import { asFirmdeskError } from '@firmdesk/client';
import { MAX_MACRO_NAME, MAX_MACRO_TEXTS, type Macro, ticketPriorities } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { client } from '../../api.ts';
import { refreshMacros } from '../../macros/macro-queries.ts';
import { toast } from '../../shell/toast.ts';
import { priorityLabels, ticketStatusLabels } from '../../tickets/properties/ticket-labels.ts';
import { useAssignableAgents, useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { fieldError, formError } from '../../ui/fields/field-errors.ts';
import { named, SelectField } from '../../ui/fields/select-field.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { MacroTextField } from '../macro-text-field.tsx';
import { inputOf, type MacroValues } from './macro-values.ts';

/** Creates a macro, or changes one. */
export function MacroDialog({
  macro,
  values,
  onChange,
  onClose,
  onSaved,
}: {
  macro: Macro | null;
  values: MacroValues;
  onChange(fields: Partial<MacroValues>): void;
  onClose(): void;
  onSaved(): void;
}) {
  const save = useMutation({
    mutationFn: (input: ReturnType<typeof inputOf>) =>
      macro ? client.macros.update.mutate({ id: macro.id, ...input }) : client.macros.create.mutate(input),
    async onSuccess({ name }) {
      toast.success(`“${name}” saved`);
      await refreshMacros();
      onSaved();
    },
  });
  const directory = useSupportDirectory();
  const assignable = useAssignableAgents();
  return (
    <FormDialog
      title={macro ? 'Edit macro' : 'New macro'}
      description="Variables are filled when the macro is inserted."
      isKeptOpen
      onClose={onClose}
      problem={formError(save.error, ['name', 'texts'])}
      submitLabel="Save"
      busyLabel="Saving…"
      isBusy={save.isPending}
      onSubmit={() => save.mutate(inputOf(values))}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Name"
          required
          maxLength={MAX_MACRO_NAME}
          value={values.name}
          error={fieldError(save.error, 'name', 'The name')}
          onChange={({ target }) => onChange({ name: target.value })}
        />
        <SelectField
          label="Team"
          value={values.team}
          choices={[[null, 'All teams'], ...named(directory?.teams ?? [])]}
          onValue={(team) => onChange({ team })}
        />
      </div>
      <Texts texts={values.texts} error={save.error} onChange={(texts) => onChange({ texts })} />
      <fieldset className="space-y-3 rounded-lg border border-line p-3">
        <legend className="px-1 font-medium">When the reply is sent</legend>
        <div className="grid gap-3 sm:grid-cols-3">
          <SelectField
            label="Status"
            value={values.status}
            choices={[
              ['', 'No change'],
              ...(['awaiting_admin', 'resolved', 'closed'] as const).map(
                (status) => [status, ticketStatusLabels[status].label] as const,
              ),
            ]}
            onValue={(status) => onChange({ status })}
          />
          <SelectField
            label="Priority"
            value={values.priority}
            choices={[
              ['', 'No change'],
              ...ticketPriorities.map((priority) => [priority, priorityLabels[priority]] as const),
            ]}
            onValue={(priority) => onChange({ priority })}
          />
          <SelectField
            label="Assignee"
            value={values.assignee}
            choices={[['', 'No change'], ['me', 'The sender'], ...named(assignable)]}
            onValue={(assignee) => onChange({ assignee })}
          />
        </div>
        <Tags chosen={values.tags} onChange={(tags) => onChange({ tags })} />
      </fieldset>
    </FormDialog>
  );
}

/** The text in each language, the fallback first. */
function Texts({
  texts,
  error,
  onChange,
}: {
  texts: MacroValues['texts'];
  error: unknown;
  onChange(texts: MacroValues['texts']): void;
}) {
  const set = (index: number, fields: Partial<MacroValues['texts'][number]>) =>
    onChange(texts.map((each, at) => (at === index ? { ...each, ...fields } : each)));
  const problem = error ? asFirmdeskError(error).fields.find(({ path }) => path === 'texts') : undefined;
  return (
    <div className="space-y-3">
      {texts.map(({ language, text }, index) => (
        // Texts have no identity but their place.
        <fieldset key={index} className="space-y-2 rounded-lg border border-line p-3">
          <legend className="px-1 font-medium">
            {index === 0 ? 'Default text, for any language' : `Text ${index + 1}`}
          </legend>
          <div className="flex items-start gap-2">
            <TextField
              label="Language"
              hint="For example en or pt-BR"
              autoCapitalize="none"
              className="w-48"
              value={language}
              error={fieldError(error, `texts[${index}].language`, 'The language')}
              onChange={({ target }) => set(index, { language: target.value })}
            />
            {texts.length > 1 && (
              <IconButton
                icon={Trash2}
                label={`Remove text ${index + 1}`}
                className="mt-7 ml-auto"
                onClick={() => onChange(texts.toSpliced(index, 1))}
              />
            )}
          </div>
          <MacroTextField
            language={language}
            text={text}
            error={fieldError(error, `texts[${index}].text`, 'The text')}
            onChange={(next) => set(index, { text: next })}
          />
        </fieldset>
      ))}
      {problem && <p className="text-danger">{problem.message}</p>}
      {texts.length < MAX_MACRO_TEXTS && (
        <Button onClick={() => onChange([...texts, { language: '', text: '' }])}>Add a language</Button>
      )}
    </div>
  );
}

function Tags({ chosen, onChange }: { chosen: readonly number[]; onChange(tags: number[]): void }) {
  const tags = useSupportDirectory()?.tags ?? [];
  if (tags.length === 0) return null;
  return (
    <fieldset>
      <legend className="mb-1 font-medium">Add tags</legend>
      <div className="flex max-h-28 flex-wrap gap-x-4 overflow-y-auto">
        {tags.map(({ id, name }) => (
          <label key={id} className="inline-flex min-h-8 items-center gap-1.5 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              className="size-4"
              checked={chosen.includes(id)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
              }
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
