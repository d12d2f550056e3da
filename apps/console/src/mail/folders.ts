import { type Folder, folders } from '@firmdesk/contract';
import { Archive, FileText, Inbox, type LucideIcon, OctagonAlert, Send, Trash2 } from 'lucide-react';

export const folderLabels: Record<Folder, string> = {
  inbox: 'Inbox',
  drafts: 'Drafts',
  sent: 'Sent',
  archive: 'Archive',
  spam: 'Spam',
  trash: 'Trash',
};

export const folderIcons: Record<Folder, LucideIcon> = {
  inbox: Inbox,
  drafts: FileText,
  sent: Send,
  archive: Archive,
  spam: OctagonAlert,
  trash: Trash2,
};

/** Returns the folder of a name, or the inbox for an unknown name. */
export function folderNamed(name: string | undefined): Folder {
  return folders.find((each) => each === name) ?? 'inbox';
}

/** Returns whether messages of a folder can be restored to their previous folder. */
export function isRestorable(folder: Folder): boolean {
  return folder === 'trash' || folder === 'spam' || folder === 'archive';
}
