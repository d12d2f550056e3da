/** The entry point for other features. */
export { createMailbox } from './mailboxes/create-mailbox.ts';
export { createFirmMailbox, listFirmMailboxes, updateFirmMailbox } from './mailboxes/manage-mailboxes.ts';
export { deliverPrepared } from './receiving/deliver-mail.ts';
export { prepareDelivery } from './receiving/prepare-delivery.ts';
export { queueProductMail, stopProductMail } from './sending/queue-product-mail.ts';
export { queueSystemMail } from './system/queue-system-mail.ts';
export { securityNoticeText } from './system/security/security-notice.ts';
export type { SecurityChange } from './system/security/words.ts';
export type { TicketInbox, TicketMail } from './ticket-inbox.ts';
