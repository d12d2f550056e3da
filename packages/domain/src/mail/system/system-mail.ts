import type { MailRecipient } from '@firmdesk/contract';
import type { SchedulingMails } from '../../calendar/index.ts';
import type { SecurityNotice } from './security/security-notice.ts';

/** The reminder of one account of an occurrence. */
export interface ReminderContent {
  event_id: number;
  minutes_before: number;
  occurrence_start: string | null;
  starts_at: string;
}

/** A message about an event for one of its people. */
export type SchedulingContent = Omit<SchedulingMails, 'workspace' | 'id' | 'user_id' | 'to'> & {
  to: SchedulingMails['to'][number];
};

/** The automatic answer of a mailbox to one correspondent. */
export interface AbsenceContent {
  mailbox_id: number;
  to: MailRecipient;
  /** The subject and the id of the message that is answered. */
  subject: string;
  message_id: string;
}

/** The mail with the link for a new password. */
export interface PasswordResetContent {
  /** The page to which the link leads. */
  page: string;
}

/** The mail with the link of an invite. */
export interface InviteContent {
  invite_id: string;
}

/** The mail that the firm will be deleted, or that this was cancelled. */
export interface FirmDeletionContent {
  due_at: string;
  is_cancelled: boolean;
  /** The account that has asked for it. */
  asked_by: string;
}

/** The question how a trader rates the answer to a ticket. */
export interface SatisfactionContent {
  ticket_id: string;
}

/** The weekly mail of reports, written when the figures were read. */
export interface WeeklyReportContent {
  subject: string;
  html: string;
  text: string;
  unsubscribe_url: string;
}

/** What is stored of each kind of system mail: mail that is in no mailbox, and is written when it is sent. */
export interface SystemMailContents {
  absence: AbsenceContent;
  event_reminder: ReminderContent;
  password_reset: PasswordResetContent;
  invite: InviteContent;
  firm_deletion: FirmDeletionContent;
  satisfaction: SatisfactionContent;
  scheduling: SchedulingContent;
  security_notice: SecurityNotice;
  weekly_report: WeeklyReportContent;
}
export type SystemMailKind = keyof SystemMailContents;

/** In what the kinds differ. */
interface SystemMailRules {
  /** Whether it is sent only while its account belongs to the firm. The staff may invite too: the writer checks who may. */
  isOfMember: boolean;
  /** Whether its link lets somebody in or speaks for them, so that nobody but the person whom it is for may get it. */
  hasLink: boolean;
  /** Whether its account is told who did not get it. */
  tellsSender: boolean;
  /** Whether what comes back is read. An automatic answer has no return path (RFC 3834 §3.3). */
  isReturned: boolean;
}

export const systemMailRules: Readonly<Record<SystemMailKind, SystemMailRules>> = {
  absence: { isOfMember: true, hasLink: false, tellsSender: false, isReturned: false },
  event_reminder: { isOfMember: true, hasLink: false, tellsSender: false, isReturned: true },
  password_reset: { isOfMember: true, hasLink: true, tellsSender: false, isReturned: true },
  invite: { isOfMember: false, hasLink: true, tellsSender: false, isReturned: true },
  firm_deletion: { isOfMember: true, hasLink: false, tellsSender: false, isReturned: true },
  satisfaction: { isOfMember: true, hasLink: true, tellsSender: false, isReturned: true },
  scheduling: { isOfMember: true, hasLink: false, tellsSender: true, isReturned: true },
  security_notice: { isOfMember: false, hasLink: false, tellsSender: false, isReturned: true },
  weekly_report: { isOfMember: true, hasLink: false, tellsSender: false, isReturned: true },
};

/** A system mail as it is stored. */
export interface SystemMail<Kind extends SystemMailKind = SystemMailKind> {
  kind: Kind;
  /** The account that gets it, or in whose name it is sent. */
  userId: string;
  content: SystemMailContents[Kind];
}
