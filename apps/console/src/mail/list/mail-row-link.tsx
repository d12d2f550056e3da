import type { MailView } from '@firmdesk/contract';
import { Link } from '@tanstack/react-router';
import { Paperclip, Star } from 'lucide-react';
import { Badge, TagBadge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { recipientNames } from '../drafts/recipients.ts';
import type { MailRow } from '../mail-row.ts';
import type { MailSelection } from './use-mail-selection.ts';

/** A row of a list of mail, which opens its conversation. */
export function MailRowLink({
  row,
  isOpen,
  view,
  selection,
  place,
  own,
}: {
  row: MailRow;
  isOpen: boolean;
  view: MailView;
  /** Null for rows that cannot be selected. */
  selection: MailSelection | null;
  /** Where a message that was found is. */
  place: string | null;
  /** The address of the mailbox. */
  own: string;
}) {
  const { threadId, message, thread, isRead } = row;
  return (
    <li className="relative">
      {selection && (
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select: ${message.subject || 'No subject'}`}
          checked={selection.has(threadId)}
          onChange={() => selection.toggle(threadId)}
          className="absolute top-3 left-3 size-4 accent-accent"
        />
      )}
      <Link
        to="/mail"
        search={(before) => ({ ...before, message: message.id })}
        data-row={message.id}
        aria-current={isOpen ? 'true' : undefined}
        className={classNames(
          'block py-2.5 pr-4 outline-offset-[-2px] hover:bg-hover',
          selection ? 'pl-9' : 'pl-4',
          isOpen && 'bg-selected hover:bg-selected',
        )}
      >
        <span className="flex items-baseline gap-2">
          {!isRead && (
            <span className="unread-dot self-center">
              <span className="sr-only">Unread: </span>
            </span>
          )}
          <span className={classNames('min-w-0 truncate', !isRead && 'font-semibold')}>
            {correspondentsOf(row, own)}
          </span>
          {thread && thread.messages > 1 && (
            <span className="shrink-0 text-xs text-muted tabular-nums">
              {thread.messages}
              <span className="sr-only"> messages</span>
            </span>
          )}
          {thread && thread.drafts > 0 && view !== 'drafts' && (
            <span className="shrink-0 text-xs text-danger">Draft</span>
          )}
          <span className="flex-1" />
          {thread?.is_starred && (
            <Star
              size={13}
              role="img"
              aria-label="Starred"
              className="shrink-0 self-center fill-current text-warning"
            />
          )}
          {thread?.has_files && (
            <Paperclip
              size={13}
              role="img"
              aria-label="Has files"
              className="shrink-0 self-center text-muted"
            />
          )}
          <Timestamp at={message.message_at} className="shrink-0 text-xs text-muted" />
        </span>
        <span className={classNames('block truncate', !isRead && 'font-semibold')}>
          {message.subject || <span className="text-muted">No subject</span>}
        </span>
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate text-muted">{message.snippet || ' '}</span>
          {thread?.snoozed_until && (
            <Badge>
              Until <Timestamp at={thread.snoozed_until} />
            </Badge>
          )}
          {thread?.tags.slice(0, 2).map((tag) => (
            <TagBadge key={tag.id} {...tag} />
          ))}
          {place && <Badge>{place}</Badge>}
        </span>
      </Link>
    </li>
  );
}

/** Returns with whom a row is: the recipients of what the mailbox has written, otherwise all who wrote. */
function correspondentsOf({ message, thread }: MailRow, own: string): string {
  if (message.folder === 'drafts' || message.folder === 'sent') {
    const recipients = recipientNames(message.to_recipients);
    return recipients ? `To ${recipients}` : 'No recipients';
  }
  const people = thread && thread.participants.length > 0 ? thread.participants : [message.from];
  const isSeveral = people.length > 1;
  return people
    .map(({ name, email }) => {
      if (isSeveral && email.toLowerCase() === own.toLowerCase()) return 'me';
      return name || email;
    })
    .join(', ');
}
