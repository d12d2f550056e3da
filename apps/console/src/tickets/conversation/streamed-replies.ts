import { storedValue } from '../../stored-value.ts';

/** Whether replies are shown while they are streamed, or only once finished. */
export const streamedReplies = storedValue('streamed-replies', (stored) => stored !== false);
