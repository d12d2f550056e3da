import type { TicketWithCan } from '@firmdesk/contract';
import { filesProblem } from '../../attachments/draft-file.ts';
import { variableIn } from '../../macros/fill-macro.ts';
import { LOCALE } from '../../ui/time/time.ts';
import { instructionOf, lengthOf } from '../composer/assistant-command.ts';
import type { ReplyDraft } from '../composer/reply-drafts.ts';
import { isEnded } from '../properties/ticket-labels.ts';

const count = new Intl.NumberFormat(LOCALE);

/** Returns why a draft cannot be sent, or null if it can. */
export function sendProblem(
  draft: Pick<ReplyDraft, 'text' | 'imageUrl' | 'files'>,
  ticket: TicketWithCan,
): string | null {
  const instruction = instructionOf(draft.text);
  const { length, limit } = lengthOf(draft.text);
  if (instruction !== null && !ticket.can.ai) return assistantProblem(ticket);
  if (length > limit) return `Remove ${count.format(length - limit)} characters.`;
  if (instruction === '') return 'Add an instruction after /ai.';
  if (instruction !== null && draft.files.length > 0)
    return 'Remove the files: the assistant can’t read them.';
  const problem = filesProblem(draft.files);
  if (problem !== null) return problem;
  const unfilled = instruction === null ? variableIn(draft.text) : null;
  if (unfilled) return `${unfilled} has no value here. Replace it before you send.`;
  if (draft.imageUrl !== '' && !isWebUrl(draft.imageUrl)) return 'Enter a valid image URL.';
  return null;
}

/** Returns why the assistant cannot be asked. */
export function assistantProblem({ status }: TicketWithCan): string {
  return isEnded(status)
    ? `The ticket is ${status}, so the assistant can’t reply.`
    : 'The assistant is turned off for your firm’s team.';
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text.trim()) && /^https?:$/.test(new URL(text.trim()).protocol);
}
