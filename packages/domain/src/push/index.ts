/** The entry point for other features. */
export { areKeysUsable } from './browsers/seal.ts';
export { findOccurrence } from './content/find-occurrences.ts';
export type { EventSubject } from './content/find-subjects.ts';
export { localeOf, messagesFor } from './content/messages/index.ts';
export { NOTIFICATION_TITLE } from './content/notification-title.ts';
export { mailPushWrite, notificationPushWrite } from './queue-pushes.ts';
export { sendTestPush } from './send-test-push.ts';
