/** The entry point for other features. */
export { messagesFor } from './content/messages/index.ts';
export { NOTIFICATION_TITLE } from './content/notification-title.ts';
export { enqueueMailPushJob, notificationPushWrite } from './queue-pushes.ts';
export { sendTestPush } from './send-test-push.ts';
