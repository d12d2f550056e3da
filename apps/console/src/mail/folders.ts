import type { Folder, MailView } from '@firmdesk/contract';
import {
  Archive,
  Clock,
  FileText,
  Inbox,
  type LucideIcon,
  OctagonAlert,
  Send,
  Star,
  Trash2,
} from 'lucide-react';

/** What lists of mail can show, in the order of the navigation. */
export const mailViews: readonly MailView[] = [
  'inbox',
  'starred',
  'snoozed',
  'drafts',
  'sent',
  'archive',
  'spam',
  'trash',
];

export const folderLabels: Record<MailView, string> = {
  inbox: 'Inbox',
  starred: 'Starred',
  snoozed: 'Snoozed',
  drafts: 'Drafts',
  sent: 'Sent',
  archive: 'Archive',
  spam: 'Spam',
  trash: 'Trash',
};

export const folderIcons: Record<MailView, LucideIcon> = {
  inbox: Inbox,
  starred: Star,
  snoozed: Clock,
  drafts: FileText,
  sent: Send,
  archive: Archive,
  spam: OctagonAlert,
  trash: Trash2,
};

/** Returns the view of a name, or the inbox for an unknown name. */
export function viewNamed(name: string | undefined): MailView {
  return mailViews.find((each) => each === name) ?? 'inbox';
}

/** Returns whether messages of a folder can be restored to their previous folder. */
export function isRestorable(folder: Folder): boolean {
  return folder === 'trash' || folder === 'spam' || folder === 'archive';
}
