import type { TicketMessage, TicketWithCan } from '@firmdesk/contract';
import { Square, Undo2 } from 'lucide-react';
import { undoAction } from '../../shell/undo.ts';
import { useStoredValue } from '../../stored-value.ts';
import { Button } from '../../ui/button.tsx';
import { useStopAssistant } from '../use-ticket-actions.ts';
import { streamedReplies } from './streamed-replies.ts';
import { MessageText } from './text/message-text.tsx';

/** The assistant's reply so far, with a stop button. Announced by `useAnnouncedReplies`, not from here. */
export function StreamingReply({
  message,
  ticket,
  command,
}: {
  message: TicketMessage;
  ticket: TicketWithCan;
  command: TicketMessage | undefined;
}) {
  const isStreamed = useStoredValue(streamedReplies);
  return (
    <>
      {isStreamed && message.body !== '' && (
        <div className="streaming-reply">
          <MessageText text={message.body} isWhole />
        </div>
      )}
      <div className="mt-2 flex flex-wrap items-center justify-between gap-2 text-xs text-ai-text">
        <span>{isStreamed ? 'Writing…' : 'Writing a reply. It appears once finished.'}</span>
        {ticket.can.manage && <ReplyButtons ticketId={ticket.id} command={command} />}
      </div>
    </>
  );
}

/**
 * Stops the assistant, which leaves a note, or undoes a command to it, which leaves nothing.
 *
 * @param props.command the latest command that was sent from this page, if there is one
 */
export function ReplyButtons({
  ticketId,
  command,
}: {
  ticketId: string;
  command: TicketMessage | undefined;
}) {
  return (
    <span className="flex gap-2">
      {command && (
        <Button className="!h-7 text-xs" onClick={() => undoAction(command.id)}>
          <Undo2 size={12} aria-hidden="true" />
          Undo
        </Button>
      )}
      <StopButton ticketId={ticketId} />
    </span>
  );
}

function StopButton({ ticketId }: { ticketId: string }) {
  const stop = useStopAssistant(ticketId);
  return (
    <Button className="!h-7 text-xs" disabled={stop.isPending} onClick={() => stop.mutate()}>
      <Square size={11} aria-hidden="true" className="fill-current" />
      {stop.isPending ? 'Stopping…' : 'Stop the assistant'}
    </Button>
  );
}
