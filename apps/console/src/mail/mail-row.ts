import type { MailListRow, MailThreadRow, OpenMailThread } from '@firmdesk/contract';

/** A row of a list of mail: a conversation, or a message that a search has found. */
export interface MailRow {
  /** The id of the conversation. */
  threadId: number;
  /** What the row opens: the newest message of the conversation in the view, or the message that was found. */
  message: MailListRow;
  isRead: boolean;
  /** Of a conversation; null for a message that was found. */
  thread: MailThreadRow | null;
}

export function rowOfThread(thread: MailThreadRow): MailRow {
  return { threadId: thread.id, message: thread.message, isRead: thread.unread === 0, thread };
}

export function rowOfMessage(message: MailListRow): MailRow {
  return { threadId: message.thread_id, message, isRead: message.is_read, thread: null };
}

/** Returns the row of an open conversation, for what acts on rows. `message`: the one that it was opened by. */
export function rowOfOpen({ id, messages }: OpenMailThread, message: MailListRow): MailRow {
  return { threadId: id, message, isRead: messages.every(({ is_read }) => is_read), thread: null };
}

/** Returns the key of a row in its list, which it keeps when its conversation gets a message. */
export function keyOf({ threadId, message, thread }: MailRow): string {
  return thread ? String(threadId) : message.id;
}
