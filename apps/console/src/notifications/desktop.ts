import type { Notification as Notice } from '@firmdesk/contract';
import { storedValue } from '../stored-value.ts';
import { pageOfNotification } from './notification-page.ts';
import { claimAlert, isOtherTabVisible } from './tabs.ts';

/** Whether this browser shows notifications on the desktop while no window of the console is visible. */
export const desktopNotifications = storedValue('desktop-notifications', (stored) => stored === true);
/** Whether a new notification makes a sound. */
export const notificationSound = storedValue('notification-sound', (stored) => stored === true);

const TONE = { hertz: 660, seconds: 0.18, volume: 0.08 };

/** Asks for the browser's permission. Returns whether it was granted. */
export async function allowDesktopNotifications(): Promise<boolean> {
  if (!('Notification' in window)) return false;
  return (await Notification.requestPermission()) === 'granted';
}

/**
 * Alerts to a notification in one tab of the firm: in a visible one by a sound, and in a hidden one, if none is visible, also on the
 * desktop. Both only if they are on, in this browser and for what the notification is about.
 */
export async function alertOnce(
  notification: Notice,
  isOn: { desktop: boolean; sound: boolean },
  onOpen: () => void,
): Promise<void> {
  const isVisible = document.visibilityState === 'visible';
  if (!isVisible && (await isOtherTabVisible())) return;
  if (!(await claimAlert(notification.id))) return;
  if (!isVisible && isOn.desktop) showOnDesktop(notification, onOpen);
  if (isOn.sound) playSound();
}

function showOnDesktop({ id, title, body, action_url }: Notice, onOpen: () => void): void {
  if (!desktopNotifications.get() || !('Notification' in window)) return;
  if (Notification.permission !== 'granted') return;
  const options = { tag: id, ...(body && { body }) };
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      shown.close();
      onOpen();
    };
  } catch {
    // Chrome on Android lets only service workers show notifications.
    void showByServiceWorker(title, {
      ...options,
      data: { page: pageOfNotification(action_url), notification: id },
    });
  }
}

async function showByServiceWorker(title: string, options: NotificationOptions): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  // Without the permission, or the worker, the notification centre still has it.
  await registration?.showNotification(title, options).catch(() => {});
}

/** Plays a short tone if that is on. Before the first click in a page, browsers play none. */
function playSound(): void {
  if (!notificationSound.get()) return;
  const audio = new AudioContext();
  const tone = new OscillatorNode(audio, { frequency: TONE.hertz });
  const volume = new GainNode(audio, { gain: TONE.volume });
  tone.connect(volume).connect(audio.destination);
  tone.onended = () => void audio.close();
  tone.start();
  tone.stop(audio.currentTime + TONE.seconds);
}
