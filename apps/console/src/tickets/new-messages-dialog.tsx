import type { TicketMessage } from '@firmdesk/contract';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Timestamp } from '../ui/timestamp.tsx';
import { kindOf } from './message-kind.ts';
import { MessageText } from './message-text.tsx';

/** Of many messages, the last are shown. */
const SHOWN = 5;

/** Asks before something is sent over messages that came since it was begun, and shows them. */
export function NewMessagesDialog({
  messages,
  onSend,
  onKeepWriting,
}: {
  messages: readonly TicketMessage[];
  onSend(): void;
  onKeepWriting(): void;
}) {
  const shown = messages.slice(-SHOWN);
  return (
    <Dialog
      title={titleOf(messages)}
      description="It came after you began to write. Do you still want to send what you have?"
      isOpen={messages.length > 0}
      onOpenChange={onKeepWriting}
    >
      {messages.length > SHOWN && (
        <p className="mb-2 text-muted">{messages.length - SHOWN} more before these</p>
      )}
      <ul className="space-y-2">
        {shown.map((message) => (
          <li key={message.id} className="rounded-md border border-line bg-surface px-3 py-2">
            <p className="mb-0.5 text-xs text-muted">
              <span className="font-semibold text-text">{message.author}</span> {said[kindOf(message)]},{' '}
              <Timestamp at={message.created_at} />
            </p>
            <MessageText
              text={message.streaming ? 'The assistant is writing a reply at this moment.' : message.body}
            />
          </li>
        ))}
      </ul>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onSend}>Send anyway</Button>
        <Button
          look="solid"
          onClick={onKeepWriting}
          // A second Enter is not to send.
          autoFocus
        >
          Keep writing
        </Button>
      </div>
    </Dialog>
  );
}

const said: Record<ReturnType<typeof kindOf>, string> = {
  trader: 'wrote',
  team: 'replied to the trader',
  assistant: 'replied to the trader',
  note: 'left a note',
  command: 'asked the assistant for a reply',
  failure: 'noted',
  system: 'noted',
};

function titleOf(messages: readonly TicketMessage[]): string {
  const teammate = messages.find((message) => kindOf(message) === 'team');
  if (teammate) return `${teammate.author} has replied meanwhile`;
  return messages.length === 1
    ? 'A message you may not have seen'
    : `${messages.length} messages you may not have seen`;
}
