import { MAX_MAIL_ATTACHMENTS, MAX_SENT_BYTES, type Mailbox, type OpenMailMessage } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { Send, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { AttachButton } from '../../attachments/attach-button.tsx';
import { DraftFiles } from '../../attachments/draft-files.tsx';
import { cancelUpload } from '../../attachments/uploads.ts';
import { useDraftFiles } from '../../attachments/use-draft-files.ts';
import { Keys } from '../../keyboard/keys.tsx';
import { type Shortcut, useShortcuts } from '../../keyboard/shortcuts.ts';
import { reportError } from '../../shell/report-error.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { fieldError } from '../../ui/fields/field-errors.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { isBegun, showsEditor } from '../answers/begin-draft.ts';
import { announceFrom } from '../answers/copy-files.ts';
import { useMailActions } from '../changes/use-mail-actions.ts';
import { mailRoute } from '../mail-route.ts';
import { rowOfMessage } from '../mail-row.ts';
import { MessageBar } from '../message/message-bar.tsx';
import { BodyField } from './body-field.tsx';
import { useBodyImages } from './body-images.ts';
import { DeleteDraft } from './delete-draft.tsx';
import type { DraftContent, DraftSaver } from './draft-saver.ts';
import { DraftConflict, DraftStatus } from './draft-status.tsx';
import { refusedPlaces } from './recipients.ts';
import { RecipientsField } from './recipients-field.tsx';
import { useSendDraft } from './send-draft.ts';
import { saveAsNewDraft } from './stored-drafts.ts';
import { useMailDraft } from './use-mail-draft.ts';

/** The editor of a draft, which is saved automatically, and from which it is sent. */
export function DraftEditor({
  draft,
  mailboxes,
  returnTo,
}: {
  draft: OpenMailMessage;
  mailboxes: Mailbox[];
  /** Another message of its conversation, below which it is shown; null if it is alone. */
  returnTo: string | null;
}) {
  const { content, status, error, theirs, revision, saver } = useMailDraft(draft);
  const { moveMessage } = useMailActions();
  const { send, isSending, refusal, forget } = useSendDraft(draft, saver);
  const form = useRef<HTMLFormElement>(null);
  const files = useMailFiles(content, saver);
  const { images, listed, withImagesOf } = useBodyImages(content, saver, files);
  const change = (changed: Partial<DraftContent>) => {
    forget();
    saver.change(changed);
  };
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

  // A new draft begins with its recipients, an answer with its text.
  const [begins] = useState(() => {
    if (content.to && isBegun(draft.id)) return 'body';
    return isBegun(draft.id) || (!content.to && !content.subject && !content.body) ? 'to' : null;
  });
  useEffect(
    () =>
      showsEditor(draft.id, () =>
        form.current?.querySelector<HTMLElement>('textarea, [contenteditable=true]')?.focus(),
      ),
    [draft.id],
  );
  // What keeps the draft from being sent; otherwise the button, for another try.
  useEffect(() => {
    if (!refusal) return;
    const { current } = form;
    (
      current?.querySelector<HTMLElement>('[aria-invalid=true]') ??
      current?.querySelector<HTMLElement>('[data-send]')
    )?.focus();
  }, [refusal]);
  const onDeleted = () => {
    // The end of an upload would be saved as a change of the deleted draft.
    for (const { key } of saver.state.content.files) cancelUpload(key);
    saver.discard();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    void send();
  };
  // Another version may have copies.
  if (!hasCopies && (content.cc !== '' || content.bcc !== '')) setHasCopies(true);

  const recipients = (name: 'to' | 'cc' | 'bcc', label: string) => (
    <RecipientsField
      autoFocus={name === 'to' && begins === 'to'}
      label={label}
      value={content[name]}
      refused={refusedPlaces(refusal?.error ?? error, name)}
      error={
        name === 'to' && refusal?.missing === 'recipient'
          ? 'Add a recipient.'
          : fieldError(refusal?.error ?? error, name, 'An address')
      }
      onChange={(text) => change({ [name]: text })}
    />
  );
  const filesError =
    refusal?.missing === 'file' && content.files.some(({ id }) => id === null)
      ? 'Wait until all files are uploaded, or remove them.'
      : fieldError(refusal?.error ?? error, 'attachments', 'The files');
  return (
    <article
      aria-label="Draft"
      className={classNames('flex min-h-0 flex-col', returnTo === null ? 'h-full' : 'h-[min(36rem,75dvh)]')}
    >
      <MessageBar hasBack={returnTo === null}>
        <DraftStatus
          status={status}
          error={error}
          onRetry={() => void saver.flush()}
          onSaveAsNew={() => saveAsNew.mutate()}
        />
        <span className="flex-1" />
        <IconButton
          icon={Trash2}
          label="Move to trash"
          keys="#"
          onClick={() => moveMessage(rowOfMessage(draft), 'trash', returnTo)}
        />
        <DeleteDraft draft={draft} returnTo={returnTo} onDeleted={onDeleted} />
      </MessageBar>
      {theirs && (
        <DraftConflict
          theirs={theirs}
          onKeepMine={() => void saver.keepMine()}
          onTakeTheirs={() => saver.takeTheirs()}
        />
      )}
      <form
        ref={form}
        aria-busy={isSending}
        inert={isSending}
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={onKeyDown}
        className={classNames(
          'flex min-h-0 flex-1 flex-col',
          files.isOver && 'outline-2 -outline-offset-2 outline-dashed outline-accent',
        )}
        {...files.handlers}
      >
        <div className="toast-place relative flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-5">
          <SelectField
            label="From"
            value={content.address_id}
            choices={mailboxes
              .filter(({ can_write }) => can_write)
              .map(({ id, name, email }) => [id, `${name}, ${email}`])}
            onValue={(address_id) => change({ address_id })}
          />
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
            error={fieldError(refusal?.error ?? error, 'subject', 'The subject')}
            onChange={(event) => change({ subject: event.target.value })}
          />
          <BodyField
            isFocused={begins === 'body'}
            revision={revision}
            body={content.body}
            subject={content.subject}
            files={content.files}
            images={images}
            onChange={(body) => change(withImagesOf(body))}
          />
          <DraftFiles state={{ ...files, files: listed }} />
        </div>
        {filesError && (
          <p role="alert" className="px-5 pb-2 text-danger">
            {filesError}
          </p>
        )}
        <footer className="flex min-h-12 shrink-0 flex-wrap items-center gap-2 border-t border-line px-5 py-2">
          <Button variant="solid" data-send disabled={isSending} onClick={() => void send()}>
            <Send size={15} aria-hidden="true" />
            {isSending ? 'Sending…' : 'Send'}
          </Button>
          <span className="max-md:hidden">
            <Keys keys="mod+Enter" />
          </span>
          <span className="flex-1" />
          <span className="text-xs text-muted">Files up to 25 MB in all</span>
          <AttachButton group="Mail" onChoose={files.add} />
        </footer>
      </form>
    </article>
  );
}

/** The files of a draft, which are uploaded for its mailbox. */
function useMailFiles({ address_id, files }: DraftContent, saver: DraftSaver) {
  return useDraftFiles({
    files,
    maxFiles: MAX_MAIL_ATTACHMENTS,
    announce: announceFrom(address_id),
    change: (change) => saver.change({ files: change(saver.state.content.files) }),
    problemOf: ({ size }) =>
      files.reduce((bytes, file) => bytes + file.size, size) > MAX_SENT_BYTES
        ? 'The files of a message can have 25 MB in all.'
        : null,
  });
}
