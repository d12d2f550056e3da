import { isWebPath } from '@firmdesk/contract';
import { pathInFirm } from '../session/firm.ts';
import { firmOfPath, firmPath, pageOfPath } from '../session/firm-path.ts';
import { sectionPage } from '../shell/navigation.ts';

/**
 * Returns the path that a notification opens: its own, for which the router finds the nearest page. Notifications also name pages of
 * other parts of the platform; these open the notification centre, and so does what is no path of this site.
 */
export function pageOfNotification(actionUrl: string): string {
  if (!isWebPath(actionUrl)) return pathInFirm('/notifications');
  if (sectionPage(pageOfPath(actionUrl)) !== null) return pathInFirm(actionUrl);
  const firm = firmOfPath(actionUrl);
  return firm === null ? pathInFirm('/notifications') : firmPath(firm, '/notifications');
}
