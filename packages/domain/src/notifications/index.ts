/** What other features use of this one. */
export { raiseNotification } from './raise-notification.ts';
