/** What other features may use of this one. */

export { fileType } from './attachment-type.ts';
export {
  claimAttachments,
  discardAttachments,
  handOverAttachments,
  releaseAttachments,
} from './claim-attachments.ts';
export { type OpenAttachment, openFile } from './open-file.ts';
export { storeReceivedFiles } from './store-received-files.ts';
