import type { MailTemplate, MailTemplateKind } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { trpc } from '../../api.ts';
import { usePermission } from '../../session/account.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { SatisfactionSwitch } from '../satisfaction-switch.tsx';
import { ViewOnly } from '../view-only.tsx';
import { MailTemplateForm } from './mail-template-form.tsx';

const kindLabels: Record<MailTemplateKind, string> = {
  pre_registration: 'Pre-registration',
  ticket_reply: 'Reply on a ticket',
  reminder: 'Reminder of an event',
  password_reset: 'New password',
  member_invite: 'Invite to the team',
  invitation: 'Invitation to an event',
  satisfaction: 'Question after a resolution',
  weekly_report: 'Weekly report',
};

const keyOf = ({ kind, language }: Pick<MailTemplate, 'kind' | 'language'>) => `${kind} ${language}`;

/** The wording of the mail that the product writes for the firm. */
export function MailTemplatesPage() {
  const canManage = usePermission('manage_assistant');
  return (
    <Page title="Mail wording">
      {canManage ? (
        <Templates />
      ) : (
        <div className="p-4">
          <ViewOnly />
        </div>
      )}
    </Page>
  );
}

function Templates() {
  const list = useQuery(trpc.mailTemplates.list.queryOptions());
  const [chosen, setChosen] = useState('');
  /** Languages that were added on this page and may not be saved yet. */
  const [added, setAdded] = useState<MailTemplate[]>([]);
  if (list.isError && !list.data)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <LoadingRows label="Loading the wording" rows={4} />;
  const saved = list.data.templates;
  const isSaved = new Set(saved.map(keyOf));
  const all = [...saved, ...added.filter((each) => !isSaved.has(keyOf(each)))];
  const template = all.find((each) => keyOf(each) === chosen) ?? all[0]!;
  return (
    <div className="mx-auto max-w-4xl space-y-4 p-4">
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label="Mail"
          className="w-72 max-w-full"
          value={keyOf(template)}
          choices={all.map((each) => [
            keyOf(each),
            `${kindLabels[each.kind]} (${each.language}${each.is_custom ? '' : ', built-in'})`,
          ])}
          onValue={setChosen}
        />
        <AddLanguage
          onAdd={(language) => {
            const copy = { ...template, language, is_custom: false };
            setAdded((now) => [...now.filter((each) => keyOf(each) !== keyOf(copy)), copy]);
            setChosen(keyOf(copy));
          }}
        />
      </div>
      {template.kind === 'satisfaction' && <SatisfactionSwitch />}
      <MailTemplateForm key={`${keyOf(template)} ${template.is_custom}`} template={template} />
    </div>
  );
}

/** Begins the wording of the chosen mail in another language. */
function AddLanguage({ onAdd }: { onAdd(language: string): void }) {
  const [language, setLanguage] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (language.trim() !== '') onAdd(language.trim());
    setLanguage('');
  };
  return (
    <form onSubmit={submit} className="flex items-end gap-2">
      <TextField
        label="Other language"
        placeholder="de, pt-BR"
        autoCapitalize="none"
        autoComplete="off"
        maxLength={35}
        className="w-32"
        value={language}
        onChange={(event) => setLanguage(event.target.value)}
      />
      <Button type="submit" className="h-9">
        Add
      </Button>
    </form>
  );
}
