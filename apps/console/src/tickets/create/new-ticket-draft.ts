import { queryClient } from '../../api.ts';
import { accountQuery } from '../../session/account.ts';
import { firm } from '../../session/firm.ts';
import { type StoredValue, storedValue } from '../../stored-value.ts';

/** A ticket for a trader that is being written. It is stored in the browser until the service has confirmed it. */
export interface NewTicketDraft {
  to: string;
  subject: string;
  body: string;
  kind: 'reply' | 'note';
  isMine: boolean;
}

export const emptyTicket: NewTicketDraft = { to: '', subject: '', body: '', kind: 'reply', isMine: true };

const drafts = new Map<string, StoredValue<NewTicketDraft | null>>();

/** Returns the draft of a user in the firm: of a new ticket, or of one that follows another. */
export function newTicketDraft(userId: string, follows?: string): StoredValue<NewTicketDraft | null> {
  const name = `newTicket.${firm}.${userId}${follows ? `.${follows}` : ''}`;
  const draft = drafts.get(name) ?? storedValue(name, asDraft);
  drafts.set(name, draft);
  return draft;
}

/** Keeps the ticket that the service has rejected, unless another one is being written. */
export function putBackNewTicket(input: object & { follows?: string }): void {
  const { user } = queryClient.getQueryData(accountQuery().queryKey) ?? {};
  if (!user) return;
  const draft = newTicketDraft(user.id, input.follows);
  if (draft.get() === null) draft.set(asDraft(input));
}

function asDraft(stored: unknown): NewTicketDraft | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { to, subject, body, kind, isMine } = stored as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    to: text(to),
    subject: text(subject),
    body: text(body),
    kind: kind === 'note' ? 'note' : 'reply',
    isMine: isMine !== false,
  };
}
