import type { Mailbox, OpenMailMessage } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { Archive, MailOpen, OctagonAlert, Trash2, Undo2 } from 'lucide-react';
import { useEffect } from 'react';
import { trpc } from '../../api.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { useAnswer } from '../answers/begin-draft.ts';
import { answers } from '../answers/use-answer-shortcuts.ts';
import { useMessageActions } from '../changes/use-message-actions.ts';
import { DraftEditor } from '../drafts/draft-editor.tsx';
import { recipientAddresses } from '../drafts/recipients.ts';
import { folderLabels, isRestorable } from '../folders.ts';
import { Delivery } from './delivery.tsx';
import { MailFiles } from './mail-files.tsx';
import { BackToList, MessageBar } from './message-bar.tsx';
import { MessageBody } from './message-body.tsx';
import { SenderCheckLine } from './sender-check-line.tsx';

/** Saves of a draft are not published, because clients save while the author types. */
const DRAFT_MS = 5_000;

/** Returns whether a message changes without an event: a draft, and a message that is being sent. */
function isUnsettled(message: OpenMailMessage | undefined): boolean {
  return message?.folder === 'drafts' || message?.delivery?.state === 'queued';
}

/** The open message, or the editor if it is a draft. */
export function OpenMessage({ id, mailboxes }: { id: string; mailboxes: Mailbox[] }) {
  // Not cached: a save of a draft names the version that was loaded.
  const message = useQuery(
    trpc.mail.get.queryOptions(
      { id },
      { gcTime: 0, refetchInterval: ({ state }) => isUnsettled(state.data) && DRAFT_MS },
    ),
  );
  if (message.isPending) return <LoadingRows label="Loading the message" rows={4} />;
  if (message.isError && !message.data) {
    return (
      <>
        <BackToList />
        <ErrorState error={message.error} onRetry={() => void message.refetch()} />
      </>
    );
  }
  const { data } = message;
  const canWrite = mailboxes.find((mailbox) => mailbox.id === data.address_id)?.can_write ?? false;
  if (data.folder === 'drafts' && canWrite) return <DraftEditor draft={data} mailboxes={mailboxes} />;
  return <MailMessage message={data} mailboxes={mailboxes} />;
}

function MailMessage({ message, mailboxes }: { message: OpenMailMessage; mailboxes: Mailbox[] }) {
  const { id, from, subject, is_read, message_at, to_recipients, cc_recipients, bcc_recipients } = message;
  const { mark } = useMessageActions();
  // Marks the message as read when opened. The user can then mark it as unread again.
  useEffect(() => {
    if (!is_read) mark({ row: message, is_read: true });
  }, [id]);
  const recipients = [
    ['To', to_recipients],
    ['Cc', cc_recipients],
    ['Bcc', bcc_recipients],
  ] as const;
  return (
    <article aria-label={subject || 'No subject'} className="flex h-full min-h-0 flex-col">
      <MessageActions message={message} mailboxes={mailboxes} />
      <header className="border-b border-line px-5 py-4">
        <h2 className="mb-3 text-lg font-semibold [overflow-wrap:anywhere]">{subject || 'No subject'}</h2>
        <div className="flex items-start gap-3">
          <Avatar name={from.name ?? from.email} url={null} className="size-9 text-xs" />
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium">{from.name ?? from.email}</span>
              {from.name && <span className="truncate text-muted">{from.email}</span>}
              <Timestamp at={message_at} className="ml-auto text-xs text-muted" />
            </p>
            {message.sender_check && <SenderCheckLine check={message.sender_check} />}
            {recipients
              .filter(([, list]) => list.length > 0)
              .map(([label, list]) => (
                <p key={label} className="line-clamp-2 text-muted" title={recipientAddresses(list)}>
                  {label} {recipientAddresses(list)}
                </p>
              ))}
          </div>
        </div>
      </header>
      {message.delivery && <Delivery id={id} delivery={message.delivery} />}
      <MailFiles message={message} />
      <MessageBody body={message.body} subject={subject} attachments={message.attachments} />
    </article>
  );
}

/** The actions that are possible in the message's folder. */
function MessageActions({ message, mailboxes }: { message: OpenMailMessage; mailboxes: Mailbox[] }) {
  const { folder, previous_folder, is_read } = message;
  const { move, restore, mark } = useMessageActions();
  const isDraft = folder === 'drafts' || previous_folder === 'drafts';
  const answer = useAnswer(mailboxes);
  return (
    <MessageBar>
      {answer &&
        !isDraft &&
        answers.map(({ kind, label, keys, icon: Icon }) => (
          <IconButton key={kind} label={label} keys={keys} onClick={() => answer(message.id, kind)}>
            <Icon size={16} aria-hidden="true" />
          </IconButton>
        ))}
      {isRestorable(folder) && (
        <>
          <Badge tone={folder === 'spam' ? 'warning' : 'neutral'}>{folderLabels[folder]}</Badge>
          <Button onClick={() => restore(message, false)}>
            <Undo2 size={15} aria-hidden="true" />
            Restore to {folderLabels[previous_folder ?? 'inbox']}
          </Button>
          {folder !== 'archive' && (
            <Button variant="quiet" onClick={() => restore(message, true)}>
              Restore conversation
            </Button>
          )}
        </>
      )}
      <span className="flex-1" />
      <IconButton
        label={is_read ? 'Mark as unread' : 'Mark as read'}
        keys="u"
        onClick={() => mark({ row: message, is_read: !is_read })}
      >
        <MailOpen size={16} aria-hidden="true" />
      </IconButton>
      {!isDraft && folder !== 'archive' && (
        <IconButton label="Archive" keys="e" onClick={() => move(message, 'archive')}>
          <Archive size={16} aria-hidden="true" />
        </IconButton>
      )}
      {!isDraft && folder !== 'spam' && (
        <IconButton label="Move to spam" keys="!" onClick={() => move(message, 'spam')}>
          <OctagonAlert size={16} aria-hidden="true" />
        </IconButton>
      )}
      {folder !== 'trash' && (
        <IconButton label="Move to trash" keys="#" onClick={() => move(message, 'trash')}>
          <Trash2 size={16} aria-hidden="true" />
        </IconButton>
      )}
    </MessageBar>
  );
}
