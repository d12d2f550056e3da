/** What other features use of this one. */
export { pushMail, pushNotifications } from './enqueue.ts';
export { testOwnDevices } from './test-push.ts';
export { wordsOf } from './words/index.ts';
