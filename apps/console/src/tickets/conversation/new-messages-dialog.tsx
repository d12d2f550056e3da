import type { TicketMessage } from '@firmdesk/contract';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { kindOf } from './message-kind.ts';
import { MessageText } from './text/message-text.tsx';

/** At most this many of the latest messages are shown. */
const SHOWN = 5;

/** Shows messages that arrived while the user was writing, and asks whether to send anyway. */
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
      description={`Review ${messages.length === 1 ? 'it' : 'them'} before sending.`}
      isOpen={messages.length > 0}
      onClose={onKeepWriting}
    >
      {messages.length > SHOWN && (
        <p className="mb-2 text-muted">{messages.length - SHOWN} earlier ones are not shown</p>
      )}
      <ul className="space-y-2">
        {shown.map((message) => (
          <li key={message.id} className="rounded-md border border-line bg-surface px-3 py-2">
            <p className="mb-0.5 text-xs text-muted">
              <span className="font-semibold text-text">{message.author}</span> {actions[kindOf(message)]},{' '}
              <Timestamp at={message.created_at} />
            </p>
            <MessageText text={message.streaming ? 'The assistant is writing a reply.' : message.body} />
          </li>
        ))}
      </ul>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onSend}>Send anyway</Button>
        <Button
          variant="solid"
          onClick={onKeepWriting}
          // A second Enter must not send.
          data-initial-focus
        >
          Keep writing
        </Button>
      </div>
    </Dialog>
  );
}

const actions: Record<ReturnType<typeof kindOf>, string> = {
  trader: 'wrote',
  team: 'replied to the trader',
  assistant: 'replied to the trader',
  note: 'left an internal note',
  command: 'asked the assistant for a reply',
  failure: 'noted',
  system: 'noted',
};

function titleOf(messages: readonly TicketMessage[]): string {
  const teammate = messages.find((message) => kindOf(message) === 'team');
  if (teammate) return `${teammate.author} just replied`;
  return messages.length === 1 ? '1 new message' : `${messages.length} new messages`;
}
