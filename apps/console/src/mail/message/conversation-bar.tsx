import type { Mailbox, OpenMailThread } from '@firmdesk/contract';
import { Archive, Clock, MailOpen, OctagonAlert, Star, Tag, Trash2, Undo2 } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { useAnswer } from '../answers/begin-draft.ts';
import { answers } from '../answers/use-answer-shortcuts.ts';
import { useMarkDialogs } from '../changes/mark-dialogs.tsx';
import { useMailActions } from '../changes/use-mail-actions.ts';
import { folderLabels, isRestorable } from '../folders.ts';
import type { MailRow } from '../mail-row.ts';
import { MessageBar } from './message-bar.tsx';
import { TicketOfMail } from './ticket-of-mail.tsx';

/** The actions on a conversation that are possible in the folder of the message that it was opened by. */
export function ConversationBar({
  thread,
  row,
  mailboxes,
}: {
  thread: OpenMailThread;
  row: MailRow;
  mailboxes: Mailbox[];
}) {
  const { folder, previous_folder } = row.message;
  const { move, restore, markRead, star, snooze } = useMailActions();
  const dialogs = useMarkDialogs();
  const answer = useAnswer(mailboxes);
  const { is_starred, snoozed_until, messages } = thread;
  const answered = messages.findLast(
    (message) => message.folder !== 'drafts' && message.previous_folder !== 'drafts',
  );
  const isDraft = answered === undefined;
  return (
    <MessageBar>
      {answer &&
        answered &&
        answers.map(({ kind, label, keys, icon: Icon }) => (
          <IconButton
            icon={Icon}
            key={kind}
            label={label}
            keys={keys}
            onClick={() => answer(answered.id, kind)}
          />
        ))}
      {isRestorable(folder) && (
        <>
          <Badge tone={folder === 'spam' ? 'warning' : 'neutral'}>{folderLabels[folder]}</Badge>
          <Button onClick={() => restore(row)}>
            <Undo2 size={15} aria-hidden="true" />
            Restore to {folderLabels[folder === 'archive' ? 'inbox' : (previous_folder ?? 'inbox')]}
          </Button>
        </>
      )}
      {snoozed_until && (
        <>
          <Badge>
            Snoozed until <Timestamp at={snoozed_until} />
          </Badge>
          <Button onClick={() => snooze(row, null, snoozed_until)}>End snooze</Button>
        </>
      )}
      <span className="flex-1" />
      <TicketOfMail messages={messages} />
      <IconButton
        label={is_starred ? 'Remove the star' : 'Star'}
        keys="*"
        aria-pressed={is_starred}
        onClick={() => star(row, !is_starred)}
      >
        <Star size={16} aria-hidden="true" className={is_starred ? 'fill-current text-warning' : ''} />
      </IconButton>
      <IconButton icon={Tag} label="Tags" keys="l" onClick={() => dialogs.tags(row)} />
      {!snoozed_until && (
        <IconButton icon={Clock} label="Snooze" keys="h" onClick={() => dialogs.snooze(row)} />
      )}
      <IconButton
        icon={MailOpen}
        label={row.isRead ? 'Mark as unread' : 'Mark as read'}
        keys={row.isRead ? 'U' : 'u'}
        onClick={() => markRead(row, !row.isRead)}
      />
      {!isDraft && folder !== 'archive' && (
        <IconButton icon={Archive} label="Archive" keys="e" onClick={() => move(row, 'archive')} />
      )}
      {!isDraft && folder !== 'spam' && (
        <IconButton icon={OctagonAlert} label="Move to spam" keys="!" onClick={() => move(row, 'spam')} />
      )}
      {folder !== 'trash' && (
        <IconButton icon={Trash2} label="Move to trash" keys="#" onClick={() => move(row, 'trash')} />
      )}
    </MessageBar>
  );
}
