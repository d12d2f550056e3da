import { newIdempotencyKey } from '@firmdesk/client';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { toast } from 'sonner';
import { client } from '../api.ts';
import { isUnreachable } from '../outbox/calls.ts';
import { outbox } from '../outbox/outbox.ts';
import { useAccount } from '../session/account.ts';
import { useStoredValue } from '../stored-value.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextAreaField, TextField } from '../ui/field.tsx';
import { emailError, fieldError, formError } from '../ui/field-errors.ts';
import { Switch } from '../ui/switch.tsx';
import { emptyTicket, type NewTicketDraft, newTicketDraft } from './new-ticket-draft.ts';

/** Opens a ticket for a trader. Closing the dialog keeps the typed values until the ticket is opened. */
export function NewTicketDialog({ to = '', onClose }: { to?: string; onClose(): void }) {
  const { user } = useAccount();
  const navigate = useNavigate();
  const stored = newTicketDraft(user.id);
  const kept = useStoredValue(stored);
  const draft: NewTicketDraft = { ...emptyTicket, ...kept, to: to || (kept?.to ?? '') };
  const start = useMutation({
    async mutationFn() {
      const { isMine, to, subject, body, kind } = draft;
      const input = { to: to.trim(), subject: subject.trim(), body, kind, assignee: isMine ? user.id : null };
      const idempotencyKey = newIdempotencyKey();
      try {
        // Directly, so that the dialog shows the service's errors.
        if (navigator.onLine)
          return await client.tickets.start.mutate(input, { context: { idempotencyKey } });
      } catch (error) {
        if (!isUnreachable(error)) throw error;
      }
      outbox().add({ kind: 'call', procedure: 'tickets.start', input, key: idempotencyKey });
      return null;
    },
    onSuccess(started) {
      stored.set(null);
      onClose();
      if (!started) {
        toast('The ticket will be opened when you are back online');
        return;
      }
      const { id, number } = started.ticket;
      toast.success(`${number} opened`);
      void navigate({ to: '/tickets/$ticket', params: { ticket: id }, search: true });
    },
  });
  const write = (fields: Partial<NewTicketDraft>) => stored.set({ ...draft, ...fields });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!start.isPending) start.mutate();
  };
  const field = (name: 'to' | 'subject' | 'body', label: string) => ({
    label,
    value: draft[name],
    error: fieldError(start.error, name, label),
    onChange: ({ target }: { target: { value: string } }) => write({ [name]: target.value }),
  });
  const problem = formError(start.error, ['to', 'subject', 'body']);
  const first = draft.to ? 'subject' : 'to';
  return (
    <Dialog title="New ticket" isOpen onOpenChange={(isOpen) => !isOpen && onClose()} isKeptOpen>
      <form onSubmit={submit} noValidate className="space-y-4">
        <TextField
          type="email"
          required
          autoComplete="off"
          readOnly={to !== ''}
          {...(first === 'to' && { 'data-initial-focus': true })}
          {...field('to', 'Trader’s email')}
          error={emailError(start.error, 'to', 'Trader’s email')}
        />
        <TextField
          required
          maxLength={300}
          autoComplete="off"
          {...(first === 'subject' && { 'data-initial-focus': true })}
          {...field('subject', 'Subject')}
        />
        <SelectField
          label="First message"
          value={draft.kind}
          onChange={({ target }) => write({ kind: target.value === 'note' ? 'note' : 'reply' })}
        >
          <option value="reply">Reply to the trader</option>
          <option value="note">Internal note</option>
        </SelectField>
        <TextAreaField
          required
          rows={6}
          maxLength={20_000}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit(event);
          }}
          {...field('body', 'Message')}
        />
        <Switch label="Assign to me" isOn={draft.isMine} onChange={(isMine) => write({ isMine })} />
        {problem && (
          <p role="alert" className="rounded-md bg-danger-surface px-3 py-2 text-danger">
            {problem}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" disabled={start.isPending}>
            {start.isPending ? 'Opening…' : 'Open ticket'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
