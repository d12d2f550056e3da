import { pathInFirm } from '../session/firm.ts';
import { firmOfPath, firmPath, pageOfPath } from '../session/firm-path.ts';
import { sectionPage } from '../shell/navigation.ts';

/**
 * Returns the path that a notification opens: its own, for which the router finds the nearest page. Notifications also name pages of
 * other parts of the platform; these open the notification centre.
 */
export function pageOfNotification(actionUrl: string): string {
  if (sectionPage(pageOfPath(actionUrl)) !== null) return pathInFirm(actionUrl);
  const firm = firmOfPath(actionUrl);
  return firm === null ? pathInFirm('/notifications') : firmPath(firm, '/notifications');
}
