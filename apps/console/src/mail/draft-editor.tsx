import type { Mailbox, OpenMailMessage } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type Shortcut, useShortcuts } from '../keyboard/shortcuts.ts';
import { reportError } from '../shell/report-error.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { SelectField, TextAreaField, TextField } from '../ui/field.tsx';
import { emailError, fieldError } from '../ui/field-errors.ts';
import { htmlToText, plainText, textToHtml } from './body-text.ts';
import { DeleteDraft } from './delete-draft.tsx';
import { DraftConflict, DraftStatus } from './draft-status.tsx';
import { mailRoute } from './mail-route.ts';
import { MessageBar } from './message-bar.tsx';
import { MessageBody } from './message-body.tsx';
import { saveAsNewDraft } from './stored-drafts.ts';
import { useMailDraft } from './use-mail-draft.ts';
import { useMessageActions } from './use-message-actions.ts';

/** The editor of a draft, which is saved automatically. */
export function DraftEditor({ draft, mailboxes }: { draft: OpenMailMessage; mailboxes: Mailbox[] }) {
  const { content, status, error, theirs, revision, saver } = useMailDraft(draft);
  const { move } = useMessageActions();
  const [hasCopies, setHasCopies] = useState(content.cc !== '' || content.bcc !== '');
  const navigate = mailRoute.useNavigate();
  const saveAsNew = useMutation({
    mutationFn: () => saveAsNewDraft(content),
    onSuccess(message) {
      saver.discard();
      void navigate({ search: (before) => ({ ...before, message }) });
    },
    onError: (failure) => reportError(failure, 'Couldn’t save the draft'),
  });
  const shortcuts = useMemo<Shortcut[]>(
    () => [{ keys: 'mod+s', label: 'Save draft', group: 'Mail', run: () => void saver.flush() }],
    [saver],
  );
  useShortcuts(shortcuts);

  // A new draft begins with its recipients.
  const [isNew] = useState(() => !content.to && !content.subject && !content.body);
  // Another version may have copies.
  if (!hasCopies && (content.cc !== '' || content.bcc !== '')) setHasCopies(true);

  const recipients = (name: 'to' | 'cc' | 'bcc', label: string) => (
    <TextField
      autoFocus={name === 'to' && isNew}
      label={label}
      autoComplete="off"
      inputMode="email"
      placeholder="Separate addresses with commas"
      value={content[name]}
      error={emailError(error, name, 'An address')}
      onChange={(event) => saver.change({ [name]: event.target.value })}
    />
  );
  return (
    <article aria-label="Draft" className="flex h-full min-h-0 flex-col">
      <MessageBar>
        <DraftStatus
          status={status}
          error={error}
          onRetry={() => void saver.flush()}
          onSaveAsNew={() => saveAsNew.mutate()}
        />
        <span className="flex-1" />
        <IconButton label="Move to trash" keys="#" onClick={() => move(draft, 'trash')}>
          <Trash2 size={16} aria-hidden="true" />
        </IconButton>
        <DeleteDraft draft={draft} onDeleted={() => saver.discard()} />
      </MessageBar>
      {theirs && (
        <DraftConflict
          theirs={theirs}
          onKeepMine={() => void saver.keepMine()}
          onTakeTheirs={() => saver.takeTheirs()}
        />
      )}
      <form
        onSubmit={(event) => event.preventDefault()}
        className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-5"
      >
        <SelectField
          label="From"
          value={content.address_id}
          onChange={(event) => saver.change({ address_id: Number(event.target.value) })}
        >
          {mailboxes
            .filter(({ can_write }) => can_write)
            .map(({ id, name, email }) => (
              <option key={id} value={id}>
                {name}, {email}
              </option>
            ))}
        </SelectField>
        {recipients('to', 'To')}
        {hasCopies ? (
          <>
            {recipients('cc', 'Cc')}
            {recipients('bcc', 'Bcc')}
          </>
        ) : (
          <Button variant="quiet" className="self-start" onClick={() => setHasCopies(true)}>
            Add Cc and Bcc
          </Button>
        )}
        <TextField
          label="Subject"
          value={content.subject}
          error={fieldError(error, 'subject', 'The subject')}
          onChange={(event) => saver.change({ subject: event.target.value })}
        />
        <BodyField
          revision={revision}
          body={content.body}
          subject={content.subject}
          onChange={(body) => saver.change({ body })}
        />
      </form>
    </article>
  );
}

/** The body as plain text. A formatted body is shown read-only until the user converts it to plain text. */
function BodyField({
  revision,
  body,
  subject,
  onChange,
}: {
  /** Changes when the body is replaced by another version. The field keeps the focus. */
  revision: number;
  body: string;
  subject: string;
  onChange(body: string): void;
}) {
  const [text, setText] = useState(() => htmlToText(body));
  const [shown, setShown] = useState(revision);
  if (shown !== revision) {
    setShown(revision);
    setText(htmlToText(body));
  }
  const type = (next: string) => {
    setText(next);
    onChange(textToHtml(next));
  };
  if (text === null) {
    return (
      <section
        aria-label="Message"
        className="flex min-h-72 flex-1 flex-col overflow-hidden rounded-md border border-line"
      >
        <div className="flex flex-wrap items-center gap-2 border-b border-line bg-canvas px-3 py-1.5 text-muted">
          <span className="flex-1">This message has formatting, so it can’t be edited as text.</span>
          <Button onClick={() => type(plainText(body))}>Edit as plain text</Button>
        </div>
        <MessageBody body={body} subject={subject} />
      </section>
    );
  }
  return (
    <TextAreaField
      label="Message"
      className="flex min-h-72 flex-1 flex-col [&_textarea]:flex-1 [&_textarea]:resize-none"
      value={text}
      onChange={(event) => type(event.target.value)}
    />
  );
}
