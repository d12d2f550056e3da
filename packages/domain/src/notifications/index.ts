/** What other features use of this one. */
export { raiseNotice } from './raise-notice.ts';
