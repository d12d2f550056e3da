import type { TicketWithCan } from '@firmdesk/contract';
import { instructionOf, lengthOf } from './assistant-command.ts';
import type { ReplyDraft } from './reply-drafts.ts';
import { isEnded } from './ticket-labels.ts';

const count = new Intl.NumberFormat();

/** Why what is written cannot be sent as things are, in words; null when it can. */
export function sendProblem(
  draft: Pick<ReplyDraft, 'text' | 'imageUrl'>,
  { ticket, isOnline }: { ticket: TicketWithCan; isOnline: boolean },
): string | null {
  const instruction = instructionOf(draft.text);
  const { length, limit } = lengthOf(draft.text);
  if (!isOnline) return 'You are offline. What you write is kept here.';
  if (instruction !== null && !ticket.can.ai) return assistantProblem(ticket);
  if (length > limit) return `${count.format(length - limit)} characters too long.`;
  if (instruction === '') return 'Say after /ai what the assistant is to write.';
  if (draft.imageUrl !== '' && !isWebAddress(draft.imageUrl)) return 'The image’s address is not one.';
  return null;
}

/** Why the assistant cannot be asked. */
export function assistantProblem({ status }: TicketWithCan): string {
  return isEnded(status)
    ? `The ticket is ${status}: the assistant writes no more replies on it.`
    : 'The firm has switched the assistant off for its team.';
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text.trim()) && /^https?:$/.test(new URL(text.trim()).protocol);
}
