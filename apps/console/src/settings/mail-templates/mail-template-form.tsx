import { MAX_TEMPLATE_SUBJECT, MAX_TEMPLATE_TEXT, type MailTemplate } from '@firmdesk/contract';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { trpc } from '../../api.ts';
import { MessageBody } from '../../mail/message/message-body.tsx';
import { toast } from '../../shell/toast.ts';
import { Button } from '../../ui/button.tsx';
import { FormError, TextAreaField, TextField } from '../../ui/fields/field.tsx';
import { fieldError, formError } from '../../ui/fields/field-errors.ts';
import { Form } from '../../ui/form.tsx';

/** Edits a wording, and shows it with made-up values. */
export function MailTemplateForm({ template }: { template: MailTemplate }) {
  const { kind, language, is_custom, variables } = template;
  const [values, setValues] = useState({ subject: template.subject, text: template.text });
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries(trpc.mailTemplates.list.pathFilter());
  const save = useMutation(
    trpc.mailTemplates.save.mutationOptions({
      async onSuccess() {
        toast.success('The wording is saved');
        await refresh();
      },
    }),
  );
  const reset = useMutation(
    trpc.mailTemplates.reset.mutationOptions({
      async onSuccess() {
        toast.success('The built-in wording is used again');
        await refresh();
      },
    }),
  );
  const submit = () => {
    save.mutate({ kind, language, ...values });
  };
  const shown = useDeferredValue(values);
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Form isBusy={save.isPending} onSubmit={submit} className="space-y-4">
        <TextField
          label="Subject"
          required
          maxLength={MAX_TEMPLATE_SUBJECT}
          value={values.subject}
          error={fieldError(save.error, 'subject', 'Subject')}
          onChange={(event) => setValues({ ...values, subject: event.target.value })}
        />
        <TextAreaField
          label="Text"
          required
          rows={14}
          maxLength={MAX_TEMPLATE_TEXT}
          hint={`Markdown. Variables: ${variables.map((name) => `{{${name}}}`).join(', ')}. A line of which a variable has no value is left out.`}
          value={values.text}
          error={fieldError(save.error, 'text', 'Text')}
          onChange={(event) => setValues({ ...values, text: event.target.value })}
        />
        <FormError message={formError(save.error ?? reset.error, ['subject', 'text'])} />
        <div className="flex gap-2">
          <Button type="submit" variant="solid" disabled={save.isPending}>
            {save.isPending ? 'Saving…' : 'Save'}
          </Button>
          {is_custom && (
            <Button disabled={reset.isPending} onClick={() => reset.mutate({ kind, language })}>
              Use the built-in wording
            </Button>
          )}
        </div>
      </Form>
      <Preview wording={{ kind, language, ...shown }} />
    </div>
  );
}

function Preview({ wording }: { wording: Pick<MailTemplate, 'kind' | 'language' | 'subject' | 'text'> }) {
  const preview = useQuery(
    trpc.mailTemplates.preview.queryOptions(wording, { placeholderData: keepPreviousData, retry: false }),
  );
  const problem = preview.error && (formError(preview.error, []) ?? 'The preview cannot be shown.');
  return (
    <section aria-label="Preview" className="flex flex-col rounded-lg border border-line bg-surface">
      <h2 className="border-b border-line px-4 py-2 font-semibold wrap-anywhere">
        {preview.data?.subject ?? 'Preview'}
      </h2>
      {problem ? (
        <p className="p-4 text-muted">{problem}</p>
      ) : (
        preview.data && <MessageBody body={preview.data.html} subject={preview.data.subject} />
      )}
    </section>
  );
}
