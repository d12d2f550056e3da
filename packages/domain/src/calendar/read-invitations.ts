import { TaskLimitError } from '../platform/threads.ts';
import type { InvitationDocument } from './ics/read-invitation.ts';
import { DOCUMENT_STEPS, INVITATION_EVENTS } from './limits.ts';
import { runTaskInThread, type TaskCaller } from './tasks/run-task.ts';

/**
 * Reads the `text/calendar` parts of one mail, in a thread; floating times are understood in `timezone`. Of all parts
 * together, the first {@link INVITATION_EVENTS} events count. What is not read is left out, and the log says so: the mail
 * is delivered all the same. Raises `unavailable` where no thread can be had.
 */
export async function readInvitations(
  { queue, log }: TaskCaller,
  parts: readonly string[],
  timezone: string,
): Promise<InvitationDocument[]> {
  const read: InvitationDocument[] = [];
  let left = INVITATION_EVENTS;
  let leftOut = 0;
  let firstReason: string | undefined;
  for (const text of parts) {
    if (left <= 0) {
      leftOut++;
      continue;
    }
    try {
      const document = await runTaskInThread(queue, DOCUMENT_STEPS, 'readInvitation', text, timezone, left);
      if (!document) continue;
      read.push(document);
      left -= Math.max(1, document.events);
      leftOut += document.refused.length;
      firstReason ??= document.refused[0]?.reason;
    } catch (error) {
      if (!(error instanceof TaskLimitError)) throw error;
      leftOut++;
      firstReason ??= error.message;
    }
  }
  if (leftOut > 0)
    log.warn({ left_out: leftOut, reason: firstReason }, 'parts of an invitation were left out');
  return read;
}
