/** What other features may use of this one. */

export { claimAttachments, releaseAttachments } from './claim-attachments.ts';
