/** The entry point for other features. */
export { raiseNotification } from './raise-notification.ts';
