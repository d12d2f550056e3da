import { storedValue } from '../stored-value.ts';

/** Whether a new notification shows itself over the page; it is announced to screen readers either way. */
export const notificationToasts = storedValue('notice-toasts', (stored) => stored !== false);
