import type { FirmMailbox } from '@firmdesk/contract';
import { useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { toast } from '../../shell/toast.ts';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { TextAreaField, TextField } from '../../ui/fields/field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SaveDialog } from '../../ui/overlays/save-dialog.tsx';

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
  const save = async () => {
    const members = [...rights]
      .filter(([, right]) => right !== 'none')
      .map(([id, right]) => ({ id, can_write: right === 'write' }));
    const values = { name, members, opens_tickets: tickets === 'no' ? null : tickets };
    if (!mailbox) return await client.firm.mailboxes.create.mutate({ email: email.trim(), ...values });
    return await client.firm.mailboxes.update.mutate({
      id: mailbox.id,
      ...values,
      aliases: aliases.split(/[\s,]+/).filter(Boolean),
    });
  };
  return (
    <SaveDialog
      title={mailbox ? `Change ${mailbox.email}` : 'New mailbox'}
      onClose={onClose}
      fields={['email', 'name', 'aliases']}
      submitLabel={mailbox ? 'Save' : 'Create'}
      busyLabel="Saving…"
      save={save}
      onSaved={async () => {
        toast.success(mailbox ? 'Mailbox saved' : 'Mailbox created');
        await queryClient.invalidateQueries({ queryKey: trpc.firm.mailboxes.pathKey() });
        await queryClient.invalidateQueries({ queryKey: trpc.mail.mailboxes.queryKey() });
        onClose();
      }}
    >
      {(error) => (
        <>
          {!mailbox && (
            <TextField
              label="Address"
              type="email"
              required
              autoComplete="off"
              data-initial-focus
              value={email}
              error={error('email', 'The address')}
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
            error={error('name', 'The name')}
            onChange={({ target }) => setName(target.value)}
          />
          {mailbox && (
            <TextAreaField
              label="Other addresses"
              rows={2}
              hint="One in each line. Mail to them arrives here too."
              value={aliases}
              error={error('aliases', 'The addresses')}
              onChange={({ target }) => setAliases(target.value)}
            />
          )}
          <SelectField
            label="Mail opens tickets"
            value={tickets}
            choices={[
              ['no', 'No: it stays mail'],
              ['members', 'Of traders of the firm'],
              ['anyone', 'Of anyone'],
            ]}
            onValue={setTickets}
          />
          <fieldset className="rounded-lg border border-line p-3">
            <legend className="px-1 font-medium">Members</legend>
            <div className="max-h-64 space-y-1 overflow-y-auto">
              {people.map((person) => (
                <div key={person.id} className="flex items-center justify-between gap-3">
                  <span className="truncate">{person.name}</span>
                  <SelectField
                    label={`Rights of ${person.name}`}
                    isLabelHidden
                    className="w-44 shrink-0"
                    value={rights.get(person.id) ?? 'none'}
                    choices={[
                      ['none', 'No access'],
                      ['read', 'Reads'],
                      ['write', 'Reads and writes'],
                    ]}
                    onValue={(value) => setRights(new Map(rights).set(person.id, value))}
                  />
                </div>
              ))}
            </div>
          </fieldset>
        </>
      )}
    </SaveDialog>
  );
}
