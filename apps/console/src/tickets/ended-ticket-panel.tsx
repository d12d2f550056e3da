import type { TicketWithCan } from '@firmdesk/contract';
import { Keys } from '../keyboard/keys.tsx';
import { useStoredValue } from '../stored-value.ts';
import { Button } from '../ui/button.tsx';
import { draftOf } from './composer/reply-drafts.ts';
import { TicketRating } from './ticket-rating.tsx';

/** Replaces the composer on a resolved or closed ticket. Shows an unsent reply, if there is one. */
export function EndedTicketPanel({
  ticket,
  userId,
  onNote,
  onFollowUp,
}: {
  ticket: TicketWithCan;
  userId: string;
  onNote: (() => void) | null;
  onFollowUp(): void;
}) {
  const draft = useStoredValue(draftOf(userId, ticket.id, 'reply'));
  return (
    <div className="rounded-lg border border-line bg-surface px-3.5 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-muted">
          This ticket is {ticket.status}. When {ticket.trader.name} writes again, a follow-up is opened.
        </p>
        <div className="flex flex-wrap gap-2">
          {onNote && <Button onClick={onNote}>Write an internal note</Button>}
          {!ticket.trader.deleted && (
            <Button onClick={onFollowUp}>
              Open a follow-up <Keys keys="o" />
            </Button>
          )}
        </div>
      </div>
      <TicketRating ticket={ticket.id} />
      {draft && draft.text !== '' && (
        <label className="mt-2 block">
          <span className="text-xs font-medium text-muted">Your unsent reply</span>
          <textarea
            readOnly
            value={draft.text}
            rows={3}
            className="mt-1 block w-full resize-y rounded-md border border-line bg-canvas px-2.5 py-1.5"
          />
        </label>
      )}
    </div>
  );
}
