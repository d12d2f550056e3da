import { TaskLimitError } from '../../platform/process/threads.ts';
import type { InvitationDocument, InvitationPart } from '../ics/read-invitation.ts';
import { DOCUMENT_STEPS, INVITATION_EVENTS } from '../limits.ts';
import { runTaskInThread, type TaskCaller } from '../tasks/run-task.ts';

/** A read part of a mail, and its index among the parts. */
export interface ReadInvitation extends InvitationDocument {
  part: number;
}

/**
 * Reads the `text/calendar` parts of one mail, in a thread. Floating times are in `timezone`. All parts together can have
 * {@link INVITATION_EVENTS} events. Invalid and further events are skipped, with a warning in the log, so that the mail
 * is delivered. Throws `unavailable` if no thread is available, `rate_limited` if too many tasks of the recipient wait.
 */
export async function readInvitations(
  { queue, log }: TaskCaller,
  parts: readonly InvitationPart[],
  timezone: string,
): Promise<ReadInvitation[]> {
  const read: ReadInvitation[] = [];
  let left = INVITATION_EVENTS;
  let skipped = 0;
  let firstReason: string | undefined;
  for (const [index, part] of parts.entries()) {
    if (left <= 0) {
      skipped++;
      continue;
    }
    try {
      const document = await runTaskInThread(queue, DOCUMENT_STEPS, 'readInvitation', part, timezone, left);
      if (!document) continue;
      read.push({ ...document, part: index });
      left -= Math.max(1, document.events);
      skipped += document.refused.length;
      firstReason ??= document.refused[0]?.reason;
    } catch (error) {
      if (!(error instanceof TaskLimitError)) throw error;
      skipped++;
      firstReason ??= error.message;
    }
  }
  if (skipped > 0) log.warn({ skipped, reason: firstReason }, 'skipped parts of an invitation');
  return read;
}
