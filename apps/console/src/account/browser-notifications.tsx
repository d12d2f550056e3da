import { useState } from 'react';
import { BLOCKED } from '../notifications/browser-push.ts';
import {
  allowDesktopNotifications,
  desktopNotifications,
  notificationSound,
} from '../notifications/desktop.ts';
import { notificationToasts } from '../notifications/toasts.ts';
import { useStoredValue } from '../stored-value.ts';
import { Switch } from '../ui/fields/switch.tsx';
import { BrowserPushSwitch } from './browser-push-switch.tsx';
import { Section } from './section.tsx';

/** How this browser tells of notifications. */
export function BrowserNotifications() {
  const areToastsOn = useStoredValue(notificationToasts);
  const isDesktopOn = useStoredValue(desktopNotifications);
  const hasSound = useStoredValue(notificationSound);
  const [isDenied, setDenied] = useState(false);
  const switchDesktop = async (isOn: boolean) => {
    const isAllowed = isOn && (await allowDesktopNotifications());
    setDenied(isOn && !isAllowed);
    desktopNotifications.set(isAllowed);
  };
  return (
    <Section title="This browser" anchor="browser" description="Saved in this browser, not in your account.">
      <div className="space-y-4 p-4">
        <BrowserPushSwitch />
        <Switch
          label="Desktop notifications"
          hint={isDenied ? BLOCKED : 'While Firmdesk is open and none of its windows is visible.'}
          isOn={isDesktopOn}
          onChange={(isOn) => void switchDesktop(isOn)}
        />
        <Switch
          label="Sound for new notifications"
          isOn={hasSound}
          onChange={(isOn) => notificationSound.set(isOn)}
        />
        <Switch
          label="Show pop-ups for new notifications"
          hint="When off, they are still counted and announced to screen readers."
          isOn={areToastsOn}
          onChange={(isOn) => notificationToasts.set(isOn)}
        />
      </div>
    </Section>
  );
}
