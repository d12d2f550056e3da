import { pathInFirm } from '../session/firm.ts';
import { firmOfPath, pageOfPath } from '../session/firm-path.ts';

/** The pages of the console. `/x/*` has pages below it. */
const pages = [
  '/tickets/*',
  '/mail',
  '/calendar',
  '/notifications',
  '/pre-registrations',
  '/settings/assistant',
  '/account/sessions',
];

/**
 * Returns the path that a notification opens: its own, or the nearest page that the console has. Notifications also name pages of
 * other parts of the platform; these open the notification centre.
 */
export function pageOfNotification(actionUrl: string): string {
  const page = pageOfPath(actionUrl);
  const path = page.split(/[?#]/)[0]!.replace(/\/+$/, '');
  if (pages.some((each) => isPage(path, each))) return pathInFirm(actionUrl);
  const [section] = path.split('/').filter(Boolean);
  const nearest = pages.find((each) => section !== undefined && each.startsWith(`/${section}`));
  const found = nearest?.replace('/*', '') ?? '/notifications';
  const firm = firmOfPath(actionUrl);
  return firm === null ? pathInFirm(found) : `/firms/${firm}${found}`;
}

function isPage(path: string, page: string): boolean {
  if (!page.endsWith('/*')) return path === page;
  const root = page.slice(0, -2);
  return path === root || (path.startsWith(`${root}/`) && !path.slice(root.length + 1).includes('/'));
}
