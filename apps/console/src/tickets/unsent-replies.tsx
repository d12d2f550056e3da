import { asFirmdeskError, isFirmdeskError } from '@firmdesk/client';
import type { TicketWithCan, UnsentReason, UnsentReply } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, queryClient, trpc } from '../api.ts';
import { MessageFiles } from '../attachments/message-files.tsx';
import { announce } from '../shell/announcer.tsx';
import { reportError } from '../shell/report-error.ts';
import { toast } from '../shell/toast.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { Timestamp } from '../ui/time/timestamp.tsx';
import { takeOverReply } from './composer/draft-sync.ts';
import { MessageImage } from './conversation/text/message-image.tsx';
import { MessageText } from './conversation/text/message-text.tsx';

const reasons: Record<UnsentReason, string> = {
  dismissed: 'its author no longer belongs to the firm',
  account_ended: 'its author no longer has an account',
  permission_lost: 'its author may no longer answer tickets',
  firm_suspended: 'the firm was suspended',
  ticket_ended: 'the ticket had ended',
};

/** The replies of a ticket that may no longer be sent, which whoever may reply takes over or discards. */
export function UnsentReplies({
  ticket,
  userId,
  onTakenOver,
}: {
  ticket: TicketWithCan;
  userId: string;
  onTakenOver(): void;
}) {
  const { data } = useQuery(trpc.tickets.unsentReplies.queryOptions({ ticket: ticket.id }));
  const [discarding, setDiscarding] = useState<UnsentReply | null>(null);
  if (!data || data.data.length === 0) return null;
  return (
    <section aria-label="Replies that were not sent" className="max-h-[35vh] space-y-2 overflow-y-auto">
      {data.data.map((reply) => (
        <Item
          key={reply.id}
          reply={reply}
          onTakeOver={ticket.can.reply ? () => void takeOver(userId, reply, onTakenOver) : null}
          onDiscard={() => setDiscarding(reply)}
        />
      ))}
      <ConfirmDialog
        title="Discard this reply?"
        confirmLabel="Discard"
        isOpen={discarding !== null}
        onClose={() => setDiscarding(null)}
        onConfirm={() => {
          if (discarding) void discard(discarding);
          setDiscarding(null);
        }}
      >
        Nobody on the team will see it any more. It can’t be undone.
      </ConfirmDialog>
    </section>
  );
}

function Item({
  reply: { author, text, html, image_url, image_name, attachments, reason, written_at },
  onTakeOver,
  onDiscard,
}: {
  reply: UnsentReply;
  onTakeOver: (() => void) | null;
  onDiscard(): void;
}) {
  return (
    <article
      aria-label={`Not sent, ${author}`}
      className="rounded-lg border border-dashed border-line-strong bg-surface px-3.5 py-2.5"
    >
      <header className="mb-1 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-xs">
        <p className="font-medium text-warning">
          A reply by {author} was not sent: {reasons[reason]}.
        </p>
        <Timestamp at={written_at} className="text-muted" />
      </header>
      {text !== '' && <MessageText text={text} html={html} />}
      <MessageFiles files={attachments} />
      {image_url !== '' && <MessageImage url={image_url} name={image_name} author={author} />}
      <div className="mt-2 flex flex-wrap gap-2">
        {onTakeOver && <Button onClick={onTakeOver}>Take over</Button>}
        <Button variant="quiet" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </article>
  );
}

async function takeOver(userId: string, reply: UnsentReply, onTakenOver: () => void): Promise<void> {
  try {
    await takeOverReply({ userId, ticketId: reply.ticket_id, mode: 'reply' }, reply);
    announce('The reply is in your draft.');
    onTakenOver();
  } catch (error) {
    report(error, 'Couldn’t take the reply over');
  }
  refetchUnsentReplies(reply.ticket_id);
}

async function discard({ ticket_id: ticket, id }: UnsentReply): Promise<void> {
  try {
    await client.tickets.discardReply.mutate({ ticket, id });
    announce('The reply is discarded.');
  } catch (error) {
    report(error, 'Couldn’t discard the reply');
  }
  refetchUnsentReplies(ticket);
}

function report(error: unknown, title: string): void {
  if (isFirmdeskError(asFirmdeskError(error), 'resource_not_found'))
    toast.error(title, {
      description: 'A colleague has already taken it over or discarded it.',
      duration: 10_000,
    });
  else reportError(error, title);
}

function refetchUnsentReplies(ticket: string): void {
  void queryClient.invalidateQueries(trpc.tickets.unsentReplies.queryFilter({ ticket }));
}
