import type { Services } from '../../platform/services.ts';
import { writeMessage } from '../sending/compose.ts';
import { writeAbsence } from './absence-answers.ts';
import { writeFirmDeletion } from './firm-deletion-mails.ts';
import { writeInvite } from './invite-mails.ts';
import { writePasswordReset } from './password-reset-mails.ts';
import { writeReminder } from './reminder-mails.ts';
import { writeWeeklyReport } from './report-mails.ts';
import { writeSatisfaction } from './satisfaction-mails.ts';
import { writeScheduling } from './scheduling-mails.ts';
import { writeSecurityNotice } from './security/security-notice.ts';
import type { SystemMail, SystemMailContents, SystemMailKind } from './system-mail.ts';
import type { WrittenMail } from './written-mail.ts';

/** Write the mails of each kind, from the state of the database when they are sent. */
const writers: {
  [Kind in SystemMailKind]: (
    services: Services,
    workspaceId: number,
    mail: { userId: string; content: SystemMailContents[Kind] },
  ) => Promise<WrittenMail>;
} = {
  absence: writeAbsence,
  event_reminder: writeReminder,
  password_reset: writePasswordReset,
  invite: writeInvite,
  firm_deletion: writeFirmDeletion,
  satisfaction: writeSatisfaction,
  scheduling: writeScheduling,
  security_notice: writeSecurityNotice,
  weekly_report: writeWeeklyReport,
};

/** A system mail as it is sent, or the reason why it is not. */
export type SystemMailToSend =
  | { raw: Buffer; from: string; returnPath: string; to: string }
  | { reason: string };

/** Writes a system mail, with the same id and date at each attempt. Throws `unavailable`, and `TaskLimitError`. */
export async function writeSystemMail<Kind extends SystemMailKind>(
  services: Services,
  workspaceId: number,
  { kind, userId, content, id, date }: SystemMail<Kind> & { id: string; date: string },
): Promise<SystemMailToSend> {
  const written = await writers[kind](services, workspaceId, { userId, content });
  if ('reason' in written) return written;
  const { message, returnPath } = written;
  const from = message.from.address;
  const bytes = await writeMessage(String(workspaceId), {
    ...message,
    to: [message.to],
    cc: [],
    date,
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    references: [],
    attachments: [],
  });
  return {
    raw: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    from,
    returnPath,
    to: message.to.address,
  };
}
