import type { Mailbox, OpenMailThread, ThreadMessage } from '@firmdesk/contract';
import { CircleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useAccount } from '../../session/account.ts';
import { rememberRecent } from '../../shell/recent.ts';
import { TagBadge } from '../../ui/badge.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { useMailActions } from '../changes/use-mail-actions.ts';
import { mailRoute } from '../mail-route.ts';
import { rowOfOpen } from '../mail-row.ts';
import { ConversationBar } from './conversation-bar.tsx';
import { ConversationMessage } from './conversation-message.tsx';
import { OpenDraft } from './open-draft.tsx';
import { ThreadViewers, useTyping } from './thread-viewers.tsx';

/** All messages of a conversation on one page, oldest first. Those that were read are collapsed, except the newest and the opened one. */
export function Conversation({
  thread,
  opened,
  mailboxes,
  canWrite,
}: {
  thread: OpenMailThread;
  /** The message that it was opened by. */
  opened: ThreadMessage;
  mailboxes: Mailbox[];
  canWrite: boolean;
}) {
  const navigate = mailRoute.useNavigate();
  const { markRead } = useMailActions();
  const [isTyping, onInput] = useTyping();
  const { messages, has_earlier, tags } = thread;
  const row = rowOfOpen(thread, opened);
  const isUnread = !row.isRead;
  const [expanded, setExpanded] = useState(() => initiallyExpanded(messages, opened.id));
  // Messages that come while it is open are shown whole.
  const [known, setKnown] = useState(() => new Set(messages.map(({ id }) => id)));
  const added = messages.filter(({ id }) => !known.has(id));
  if (added.length > 0) {
    setKnown(new Set([...known, ...added.map(({ id }) => id)]));
    setExpanded(new Set([...expanded, ...added.map(({ id }) => id)]));
  }
  if (!expanded.has(opened.id)) setExpanded(new Set([...expanded, opened.id]));
  // Marks it as read when it is opened. The user can then mark it as unread again.
  useEffect(() => {
    if (isUnread) markRead(row, true);
  }, [thread.id, added.length]);
  const toggle = (id: string) => {
    const next = new Set(expanded);
    if (!next.delete(id)) next.add(id);
    setExpanded(next);
  };
  const open = (message: string) => void navigate({ search: (before) => ({ ...before, message }) });
  const answered = messages.findLast(({ folder }) => folder !== 'drafts');
  const { subject } = messages.find(({ folder }) => folder !== 'drafts') ?? opened;
  const { id: userId } = useAccount().user;
  useEffect(
    () =>
      rememberRecent(userId, {
        id: `mail ${thread.id}`,
        name: subject || 'No subject',
        group: 'Mail',
        to: '/mail',
        search: { message: opened.id },
      }),
    [userId, thread.id, opened.id, subject],
  );
  return (
    <article
      aria-label={opened.subject || 'No subject'}
      className="flex h-full min-h-0 flex-col"
      onInput={onInput}
    >
      <ConversationBar thread={thread} row={row} mailboxes={mailboxes} />
      <div className="relative min-h-0 flex-1 overflow-y-auto">
        <header className="flex flex-wrap items-center gap-2 px-5 pt-4 pb-3">
          <h2 className="text-lg font-semibold [overflow-wrap:anywhere]">{subject || 'No subject'}</h2>
          {tags.map((tag) => (
            <TagBadge key={tag.id} {...tag} />
          ))}
          <ThreadViewers thread={thread.id} isTyping={isTyping} />
        </header>
        {has_earlier && (
          <p className="border-t border-line px-5 py-2 text-muted">Only the newest messages are shown.</p>
        )}
        <ol>
          {messages.map((message) => (
            <li key={message.id} aria-label={labelOf(message)} className="border-t border-line">
              {message.folder === 'drafts' && canWrite && message.id === opened.id ? (
                <>
                  <OtherAnswer messages={messages} draft={message} />
                  <OpenDraft id={message.id} mailboxes={mailboxes} returnTo={answered?.id ?? null} />
                </>
              ) : (
                <ConversationMessage
                  message={message}
                  mailboxes={mailboxes}
                  isExpanded={expanded.has(message.id) && !(message.folder === 'drafts' && canWrite)}
                  isNewest={message === answered}
                  isOpened={message.id === opened.id && messages.length > 1}
                  onToggle={() =>
                    message.folder === 'drafts' && canWrite ? open(message.id) : toggle(message.id)
                  }
                />
              )}
            </li>
          ))}
        </ol>
      </div>
    </article>
  );
}

/** Warns the writer of an answer that another one to the same message was sent. */
function OtherAnswer({ messages, draft }: { messages: readonly ThreadMessage[]; draft: ThreadMessage }) {
  const other =
    draft.in_reply_to !== null &&
    messages.findLast(({ folder, in_reply_to }) => folder === 'sent' && in_reply_to === draft.in_reply_to);
  return (
    <div role="status">
      {other && (
        <p className="flex items-start gap-2 bg-warning-surface px-5 py-2.5 text-warning">
          <CircleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0" />
          <span>
            {other.author?.name ?? other.from.name ?? other.from.email} has answered this message already:{' '}
            <Timestamp at={other.message_at} />.
          </span>
        </p>
      )}
    </div>
  );
}

function initiallyExpanded(messages: readonly ThreadMessage[], opened: string): ReadonlySet<string> {
  const newest = messages.findLast(({ folder }) => folder !== 'drafts');
  return new Set(
    messages
      .filter((message) => !message.is_read || message.id === opened || message === newest)
      .map(({ id }) => id),
  );
}

function labelOf({ folder, from }: ThreadMessage): string {
  return folder === 'drafts' ? 'Draft of an answer' : `Message from ${from.name || from.email}`;
}
