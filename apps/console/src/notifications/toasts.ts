import { storedValue } from '../stored-value.ts';

/** Whether new notifications appear as pop-ups. Screen readers announce them either way. */
export const notificationToasts = storedValue('notice-toasts', (stored) => stored !== false);
