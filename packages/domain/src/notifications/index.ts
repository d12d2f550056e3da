/** The entry point for other features. */
export { raiseNotification } from './raise-notification.ts';
export { storeNotifications } from './store-notifications.ts';
