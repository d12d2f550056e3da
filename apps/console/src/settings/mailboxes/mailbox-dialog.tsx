import type { FirmMailbox } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { toast } from '../../shell/toast.ts';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { emailError, fieldError, formError } from '../../ui/field-errors.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

type Rights = 'none' | 'read' | 'write';

/** Creates a mailbox, or changes its name, its aliases and its members. */
export function MailboxDialog({ mailbox, onClose }: { mailbox: FirmMailbox | null; onClose(): void }) {
  const agents = useSupportDirectory()?.agents ?? [];
  const [email, setEmail] = useState(mailbox?.email ?? '');
  const [name, setName] = useState(mailbox?.name ?? '');
  const [aliases, setAliases] = useState(mailbox?.aliases.join('\n') ?? '');
  const [tickets, setTickets] = useState<'members' | 'anyone' | 'no'>(mailbox?.opens_tickets ?? 'no');
  const [rights, setRights] = useState<ReadonlyMap<string, Rights>>(
    new Map(mailbox?.members.map(({ id, can_write }) => [id, can_write ? 'write' : 'read'])),
  );
  const people = [
    ...agents,
    ...(mailbox?.members ?? []).filter(({ id }) => !agents.some((one) => one.id === id)),
  ];
  const save = useMutation({
    mutationFn() {
      const members = [...rights]
        .filter(([, right]) => right !== 'none')
        .map(([id, right]) => ({ id, can_write: right === 'write' }));
      const values = { name, members, opens_tickets: tickets === 'no' ? null : tickets };
      return mailbox
        ? client.firm.mailboxes.update.mutate({
            id: mailbox.id,
            ...values,
            aliases: aliases.split(/[\s,]+/).filter(Boolean),
          })
        : client.firm.mailboxes.create.mutate({ email: email.trim(), ...values });
    },
    async onSuccess() {
      toast.success(mailbox ? 'Mailbox saved' : 'Mailbox created');
      await queryClient.invalidateQueries({ queryKey: trpc.firm.mailboxes.pathKey() });
      await queryClient.invalidateQueries({ queryKey: trpc.mail.mailboxes.queryKey() });
      onClose();
    },
  });
  return (
    <FormDialog
      title={mailbox ? `Change ${mailbox.email}` : 'New mailbox'}
      isKeptOpen
      onClose={onClose}
      problem={formError(save.error, ['email', 'name', 'aliases'])}
      submitLabel={mailbox ? 'Save' : 'Create'}
      busyLabel="Saving…"
      isBusy={save.isPending}
      onSubmit={() => save.mutate()}
    >
      {!mailbox && (
        <TextField
          label="Address"
          type="email"
          required
          autoComplete="off"
          data-initial-focus
          value={email}
          error={emailError(save.error, 'email', 'The address')}
          onChange={({ target }) => setEmail(target.value)}
        />
      )}
      <TextField
        label="Name"
        required
        autoComplete="off"
        maxLength={100}
        hint="Recipients see it as the sender."
        value={name}
        error={fieldError(save.error, 'name', 'The name')}
        onChange={({ target }) => setName(target.value)}
      />
      {mailbox && (
        <TextAreaField
          label="Other addresses"
          rows={2}
          hint="One in each line. Mail to them arrives here too."
          value={aliases}
          error={fieldError(save.error, 'aliases', 'The addresses')}
          onChange={({ target }) => setAliases(target.value)}
        />
      )}
      <SelectField
        label="Mail opens tickets"
        value={tickets}
        onChange={({ target }) => setTickets(target.value as typeof tickets)}
      >
        <option value="no">No: it stays mail</option>
        <option value="members">Of traders of the firm</option>
        <option value="anyone">Of anyone</option>
      </SelectField>
      <fieldset className="rounded-lg border border-line p-3">
        <legend className="px-1 font-medium">Members</legend>
        <div className="max-h-64 space-y-1 overflow-y-auto">
          {people.map((person) => (
            <div key={person.id} className="flex items-center justify-between gap-3">
              <span className="truncate">{person.name}</span>
              <SelectField
                label={`Rights of ${person.name}`}
                isLabelHidden
                value={rights.get(person.id) ?? 'none'}
                onChange={({ target }) => setRights(new Map(rights).set(person.id, target.value as Rights))}
              >
                <option value="none">No access</option>
                <option value="read">Reads</option>
                <option value="write">Reads and writes</option>
              </SelectField>
            </div>
          ))}
        </div>
      </fieldset>
    </FormDialog>
  );
}
