import { storedValue } from '../stored-value.ts';

/** Whether a new notice shows itself over the page; it is announced to screen readers either way. */
export const noticeToasts = storedValue('notice-toasts', (stored) => stored !== false);
