import type { Ticket } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { callNowOrLater } from '../../outbox/calls.ts';
import { type EditableField, textBoxField } from '../../rich-text/editable-field.ts';
import { useAccount } from '../../session/account.ts';
import { toast } from '../../shell/toast.ts';
import { useStoredValue } from '../../stored-value.ts';
import { useFoundTraders } from '../../traders/use-found-traders.ts';
import { TextAreaField, TextField } from '../../ui/fields/field.tsx';
import { fieldError, formError } from '../../ui/fields/field-errors.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SuggestField } from '../../ui/fields/suggest-field.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { MentionList, useMentionNotice } from '../composer/mention-list.tsx';
import { idsMentionedIn } from '../composer/mentions.ts';
import { useMentionPicker } from '../composer/use-mention-picker.ts';
import { useSupportDirectory } from '../properties/use-support-directory.ts';
import { emptyTicket, type NewTicketDraft, newTicketDraft } from './new-ticket-draft.ts';

/**
 * Opens a ticket for a trader. Closing the dialog keeps the typed values until the ticket is opened.
 *
 * @param props.follows the ended ticket of the trader that it follows, whose tags and team it has
 */
export function NewTicketDialog({
  to = '',
  follows,
  onClose,
}: {
  to?: string;
  follows?: Ticket;
  onClose(): void;
}) {
  const { user } = useAccount();
  const navigate = useNavigate();
  const stored = newTicketDraft(user.id, follows?.id);
  const kept = useStoredValue(stored);
  const draft: NewTicketDraft = {
    ...emptyTicket,
    ...(follows && { subject: follows.subject }),
    ...kept,
    to: to || (kept?.to ?? ''),
  };
  const agents = useSupportDirectory()?.agents;
  const notice = useMentionNotice(draft.kind === 'note' ? draft.body : '');
  const start = useMutation({
    mutationFn() {
      const { isMine, to, subject, body, kind } = draft;
      return callNowOrLater('tickets.start', {
        to: to.trim(),
        subject: subject.trim(),
        body,
        kind,
        ...(follows && { follows: follows.id }),
        assignee: isMine ? user.id : null,
        // Mentions whose names are not loaded yet are found when the note is sent.
        ...(agents && { mentions: kind === 'note' ? idsMentionedIn(body, agents) : [] }),
      });
    },
    onSuccess(started) {
      stored.set(null);
      onClose();
      if (!started) {
        toast.message('The ticket will be opened when you are back online');
        return;
      }
      const { id, number } = started.ticket;
      toast.success(`${number} opened`);
      void navigate({ to: '/tickets/$ticket', params: { ticket: id }, search: true });
    },
  });
  const write = (fields: Partial<NewTicketDraft>) => stored.set({ ...draft, ...fields });
  const message = useRef<EditableField>(null);
  const mentions = useMentionPicker(message, agents ?? [], draft.kind === 'note');
  const field = (name: 'to' | 'subject' | 'body', label: string) => ({
    label,
    value: draft[name],
    error: fieldError(start.error, name, label),
    onChange: ({ target }: { target: { value: string } }) => write({ [name]: target.value }),
  });
  const people = useFoundTraders(draft.to, to === '');
  const [isListOpen, setListOpen] = useState(false);
  const first = draft.to === '' ? 'to' : follows ? 'body' : 'subject';
  return (
    <FormDialog
      title={follows ? `Follow-up of ${follows.number}` : 'New ticket'}
      description={follows && 'The new ticket is linked with it, and has its tags and team.'}
      onClose={onClose}
      isKeptOpen
      onEscapeKeyDown={(event) => (mentions.suggestions.length > 0 || isListOpen) && event.preventDefault()}
      problem={formError(start.error, ['to', 'subject', 'body'])}
      submitLabel="Open ticket"
      busyLabel="Opening…"
      isBusy={start.isPending}
      onSubmit={start.mutate}
    >
      <SuggestField
        type="email"
        required
        suggestions={people.map(({ name, email }) => ({ value: email, label: name, hint: email }))}
        onValue={(next) => write({ to: next })}
        onOpenChange={setListOpen}
        autoComplete="off"
        readOnly={to !== ''}
        {...(first === 'to' && { 'data-initial-focus': true })}
        {...field('to', 'Trader’s name or email')}
        error={fieldError(start.error, 'to', 'Trader’s email')}
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
        choices={[
          ['reply', 'Reply to the trader'],
          ['note', 'Internal note'],
        ]}
        onValue={(kind) => write({ kind })}
      />
      <div className="relative">
        <MentionList picker={mentions} />
        <TextAreaField
          ref={(box: HTMLTextAreaElement | null) => {
            message.current = box && textBoxField(box);
          }}
          onSelect={mentions.onSelect}
          required
          rows={6}
          {...(first === 'body' && { 'data-initial-focus': true })}
          maxLength={20_000}
          {...(notice && { hint: notice })}
          {...mentions.attributes}
          onKeyDown={(event) => {
            if (mentions.onKeyDown(event.nativeEvent)) return;
            if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
          {...field('body', 'Message')}
        />
      </div>
      <Switch label="Assign to me" isOn={draft.isMine} onChange={(isMine) => write({ isMine })} />
    </FormDialog>
  );
}
