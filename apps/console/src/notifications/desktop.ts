import type { Notification as Notice } from '@firmdesk/contract';
import { storedValue } from '../stored-value.ts';

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

/** Shows a notification on the desktop if that is on and the window is hidden. Windows of one browser show it once. */
export function showOnDesktop({ id, title, body }: Notice, onOpen: () => void): void {
  if (!desktopNotifications.get() || document.visibilityState === 'visible') return;
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const shown = new Notification(title, { tag: id, ...(body && { body }) });
  shown.onclick = () => {
    window.focus();
    shown.close();
    onOpen();
  };
}

/** Plays a short tone if that is on. Before the first click in a page, browsers play none. */
export function playSound(): void {
  if (!notificationSound.get()) return;
  const audio = new AudioContext();
  const tone = new OscillatorNode(audio, { frequency: TONE.hertz });
  const volume = new GainNode(audio, { gain: TONE.volume });
  tone.connect(volume).connect(audio.destination);
  tone.onended = () => void audio.close();
  tone.start();
  tone.stop(audio.currentTime + TONE.seconds);
}
