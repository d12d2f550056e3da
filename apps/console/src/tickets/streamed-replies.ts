import { storedValue } from '../stored-value.ts';

/** Whether replies are shown as they are written, or only once they are finished. */
export const streamedReplies = storedValue('streamed-replies', (stored) => stored !== false);
