import type { Notification } from '@firmdesk/contract';
import { useRouter } from '@tanstack/react-router';
import { AtSign, UserCheck } from 'lucide-react';
import type { MouseEvent } from 'react';
import { classNames } from '../ui/class-names.ts';
import { Timestamp } from '../ui/time/timestamp.tsx';
import { notificationLabel } from './kinds.ts';
import { pageOfNotification } from './notification-page.ts';

/** A notification as a link to its page. Opening it marks it as read. */
export function NotificationLink({ notification, onOpen }: { notification: Notification; onOpen(): void }) {
  const { id, reason, title, body, action_url, created_at, read_at } = notification;
  const { history } = useRouter();
  const open = (event: MouseEvent) => {
    onOpen();
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    history.push(pageOfNotification(action_url));
  };
  return (
    <a
      href={pageOfNotification(action_url)}
      data-row={id}
      onClick={open}
      className="block min-w-0 flex-1 rounded-md px-2 py-2 outline-offset-[-2px]"
    >
      <span className="flex items-baseline gap-2">
        {read_at === null && (
          <span className="unread-dot self-center">
            <span className="sr-only">Unread: </span>
          </span>
        )}
        <span className={classNames('min-w-0 flex-1 truncate', read_at === null && 'font-semibold')}>
          {title}
        </span>
        <Timestamp at={created_at} className="shrink-0 text-xs text-muted" />
      </span>
      {body && <span className="line-clamp-2 text-muted">{body}</span>}
      <span
        className={classNames(
          'flex items-center gap-1 text-xs',
          reason === null ? 'text-muted' : 'font-medium text-accent',
        )}
      >
        {reason === 'mention' && <AtSign size={12} aria-hidden="true" />}
        {reason === 'assignment' && <UserCheck size={12} aria-hidden="true" />}
        {notificationLabel(notification)}
      </span>
    </a>
  );
}
