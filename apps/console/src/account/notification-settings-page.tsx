import { WeeklyMail } from '../reports/weekly-mail.tsx';
import { Page } from '../ui/page.tsx';
import { BrowserNotifications } from './browser-notifications.tsx';
import { Devices } from './devices.tsx';
import { NotificationTable } from './notification-table.tsx';

/** What the account is notified of, how this browser tells it, and the devices that get pushes. */
export function NotificationSettingsPage() {
  return (
    <Page title="Notification settings">
      <div className="mx-auto max-w-3xl space-y-4 p-4">
        <NotificationTable />
        <BrowserNotifications />
        <Devices />
        <WeeklyMail />
      </div>
    </Page>
  );
}
