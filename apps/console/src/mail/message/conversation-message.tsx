import type { Mailbox, MailRecipient, OpenMailMessage, ThreadMessage } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { Paperclip } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/button.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { useAnswer } from '../answers/begin-draft.ts';
import { answers } from '../answers/use-answer-shortcuts.ts';
import { recipientAddresses } from '../drafts/recipients.ts';
import { messageQuery } from '../mail-queries.ts';
import { Delivery } from './delivery.tsx';
import { MailFiles } from './mail-files.tsx';
import { MessageBody } from './message-body.tsx';
import { SenderCheckLine } from './sender-check-line.tsx';

/** A message of a conversation: one line that opens it, or the whole message. */
export function ConversationMessage({
  message,
  mailboxes,
  isExpanded,
  isNewest,
  isOpened,
  onToggle,
}: {
  message: ThreadMessage;
  mailboxes: Mailbox[];
  isExpanded: boolean;
  /** Whether it is what the toolbar answers. */
  isNewest: boolean;
  /** Whether the conversation was opened by it: it is scrolled into view. */
  isOpened: boolean;
  onToggle(): void;
}) {
  const { from, message_at, snippet, folder, has_files, author } = message;
  const name = from.name || from.email;
  const isDraft = folder === 'drafts';
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpened) element.current?.scrollIntoView({ block: 'start' });
  }, [isOpened]);
  return (
    <div ref={element}>
      <button
        type="button"
        aria-expanded={isExpanded}
        onClick={onToggle}
        className="flex w-full items-center gap-3 px-5 py-2.5 text-left hover:bg-hover"
      >
        <Avatar name={name} url={null} className={isExpanded ? 'size-9 text-xs' : 'size-6 text-xs'} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className="truncate font-medium">{name}</span>
            {author && <span className="shrink-0 text-muted">by {author.name}</span>}
            {isDraft && <span className="shrink-0 text-danger">Draft</span>}
            {isExpanded && from.name && <span className="truncate text-muted">{from.email}</span>}
          </span>
          {!isExpanded && <span className="block truncate text-muted">{snippet || 'No text'}</span>}
        </span>
        {has_files && !isExpanded && (
          <Paperclip size={14} aria-label="Has files" role="img" className="shrink-0 text-muted" />
        )}
        <Timestamp at={message_at} className="shrink-0 text-xs text-muted" />
      </button>
      {isExpanded && (
        <WholeMessage id={message.id} mailboxes={mailboxes} isAnswerable={!isNewest && !isDraft} />
      )}
    </div>
  );
}

function WholeMessage({
  id,
  mailboxes,
  isAnswerable,
}: {
  id: string;
  mailboxes: Mailbox[];
  isAnswerable: boolean;
}) {
  const message = useQuery(messageQuery(id));
  const answer = useAnswer(mailboxes);
  if (message.isPending) return <LoadingRows label="Loading the message" rows={3} />;
  if (!message.data) return <ErrorState error={message.error} onRetry={() => void message.refetch()} />;
  const { data } = message;
  return (
    <>
      <Recipients message={data} />
      {data.delivery && <Delivery id={id} delivery={data.delivery} />}
      <MailFiles message={data} />
      <MessageBody body={data.body} subject={data.subject} attachments={data.attachments} foldsQuoted />
      {answer && isAnswerable && data.previous_folder !== 'drafts' && (
        <p className="flex gap-1 px-4 pb-3">
          {answers.map(({ kind, label, icon: Icon }) => (
            <IconButton
              icon={Icon}
              key={kind}
              label={`${label} to this message`}
              onClick={() => answer(id, kind)}
            />
          ))}
        </p>
      )}
    </>
  );
}

function Recipients({ message }: { message: OpenMailMessage }) {
  const lists: readonly (readonly [string, readonly MailRecipient[]])[] = [
    ['To', message.to_recipients],
    ['Cc', message.cc_recipients],
    ['Bcc', message.bcc_recipients],
  ];
  return (
    <div className="pr-5 pb-2 pl-[4.25rem]">
      {message.sender_check && <SenderCheckLine check={message.sender_check} />}
      {lists
        .filter(([, list]) => list.length > 0)
        .map(([label, list]) => (
          <p key={label} className="line-clamp-2 text-muted" title={recipientAddresses(list)}>
            {label} {recipientAddresses(list)}
          </p>
        ))}
    </div>
  );
}
