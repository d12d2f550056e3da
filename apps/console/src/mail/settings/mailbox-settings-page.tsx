import { MAX_ABSENCE_TEXT, MAX_SIGNATURE, type Mailbox, type MailboxSettings } from '@firmdesk/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client, trpc } from '../../api.ts';
import { useTimeZone } from '../../session/account.ts';
import { toast } from '../../shell/toast.ts';
import { parseLocal, toLocal } from '../../tickets/properties/snooze-times.ts';
import { Button } from '../../ui/button.tsx';
import { FormError, TextAreaField, TextField } from '../../ui/fields/field.tsx';
import { fieldError, formError } from '../../ui/fields/field-errors.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { MomentField } from '../../ui/time/time-field.tsx';
import { useKept } from '../../ui/use-kept.ts';
import { mailboxesQuery } from '../mail-queries.ts';
import { MailRules } from './rules/mail-rules.tsx';

/** The signature, the automatic answer and the rules of each mailbox from which the account may write. */
export function MailboxSettingsPage() {
  const mailboxes = useQuery(mailboxesQuery());
  const writable = mailboxes.data?.filter(({ can_write }) => can_write) ?? [];
  const [chosen, setChosen] = useState<number | null>(null);
  const mailbox = writable.find(({ id }) => id === chosen) ?? writable[0];
  return (
    <Page title="Mailboxes">
      {mailboxes.isPending ? (
        <LoadingRows label="Loading mailboxes" rows={3} />
      ) : mailboxes.isError && !mailboxes.data ? (
        <ErrorState error={mailboxes.error} onRetry={() => void mailboxes.refetch()} />
      ) : !mailbox ? (
        <EmptyState title="No mailbox to write from">Ask an administrator of the firm for one.</EmptyState>
      ) : (
        <div className="mx-auto max-w-2xl space-y-4 p-4">
          {writable.length > 1 && (
            <SelectField
              label="Mailbox"
              value={mailbox.id}
              choices={writable.map(({ id, name, email }) => [id, `${name}, ${email}`])}
              onValue={setChosen}
            />
          )}
          <Settings key={mailbox.id} mailbox={mailbox} />
          <MailRules key={`rules ${mailbox.id}`} mailbox={mailbox} />
        </div>
      )}
    </Page>
  );
}

function Settings({ mailbox }: { mailbox: Mailbox }) {
  const settings = useQuery(trpc.mail.settings.get.queryOptions({ address_id: mailbox.id }));
  if (settings.isPending) return <LoadingRows label="Loading the settings" rows={3} />;
  if (!settings.data) return <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />;
  return <SettingsForm settings={settings.data} mailbox={mailbox} />;
}

type Values = Pick<MailboxSettings, 'signature' | 'absence'>;

function SettingsForm({ settings, mailbox }: { settings: MailboxSettings; mailbox: Mailbox }) {
  const zone = useTimeZone();
  const queries = useQueryClient();
  // What was typed stays while another page is shown.
  const [typed, setTyped] = useKept<Values>(`mailbox ${mailbox.id}`);
  const values: Values = typed ?? settings;
  const { signature, absence } = values;
  const change = (next: Partial<Values>) => setTyped(() => ({ signature, absence, ...next }));
  const changeAbsence = (next: Partial<Values['absence']>) => change({ absence: { ...absence, ...next } });
  const save = useMutation({
    mutationFn: () => client.mail.settings.save.mutate({ address_id: mailbox.id, signature, absence }),
    onSuccess(saved) {
      setTyped(() => null);
      queries.setQueryData(trpc.mail.settings.get.queryKey({ address_id: mailbox.id }), saved);
      toast.success('Mailbox settings saved');
    },
  });
  const error = (path: string, label: string) => fieldError(save.error, path, label);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const time = (name: 'starts_at' | 'ends_at', label: string) => (
    <MomentField
      label={label}
      zone={zone}
      className="min-w-64 flex-1"
      value={absence[name] === null ? '' : toLocal(new Date(absence[name]), zone)}
      error={error(`absence.${name}`, label)}
      onMoment={(moment) => changeAbsence({ [name]: parseLocal(moment, zone)?.toISOString() ?? null })}
    />
  );
  return (
    <form onSubmit={submit} className="space-y-4">
      <section aria-labelledby="signature" className="space-y-3 rounded-lg border border-line bg-surface p-4">
        <h2 id="signature" className="font-semibold">
          Signature
        </h2>
        <TextAreaField
          label="Below each new message and reply"
          rows={4}
          maxLength={MAX_SIGNATURE}
          hint="All who write from this mailbox share it."
          value={signature}
          error={error('signature', 'The signature')}
          onChange={({ target }) => change({ signature: target.value })}
        />
      </section>
      <section aria-labelledby="absence" className="space-y-3 rounded-lg border border-line bg-surface p-4">
        <h2 id="absence" className="font-semibold">
          Out of office
        </h2>
        <Switch
          label="Answer automatically"
          hint="Each person gets the answer once a week. Mailing lists, programs and spam get none."
          isOn={absence.is_on}
          onChange={(is_on) => changeAbsence({ is_on })}
        />
        <div className="flex flex-wrap gap-3">
          {time('starts_at', 'From (optional)')}
          {time('ends_at', 'Until (optional)')}
        </div>
        <TextField
          label="Subject"
          placeholder="Re: the subject of their message"
          value={absence.subject}
          error={error('absence.subject', 'The subject')}
          onChange={({ target }) => changeAbsence({ subject: target.value })}
        />
        <TextAreaField
          label="Answer"
          rows={6}
          maxLength={MAX_ABSENCE_TEXT}
          value={absence.text}
          error={error('absence.text', 'The answer')}
          onChange={({ target }) => changeAbsence({ text: target.value })}
        />
      </section>
      <FormError
        message={formError(save.error, [
          'signature',
          'absence.text',
          'absence.subject',
          'absence.starts_at',
          'absence.ends_at',
        ])}
      />
      <Button type="submit" variant="solid" disabled={save.isPending || typed === null}>
        {save.isPending ? 'Saving…' : 'Save'}
      </Button>
    </form>
  );
}
