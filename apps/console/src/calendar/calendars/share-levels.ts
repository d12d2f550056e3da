import type { ShareLevel } from '@firmdesk/contract';

/** What a colleague may do with a calendar that is shared. */
export const shareLevelLabels: Record<ShareLevel, string> = {
  busy: 'See busy times',
  read: 'Read',
  write: 'Change events',
};
