/** The entry point for other features. */
export { createMailbox } from './create-mailbox.ts';
export { deliverPrepared, prepareDelivery } from './deliver-mail.ts';
