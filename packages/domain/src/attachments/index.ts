/** What other features may use of this one. */

export { announceFile } from './announce-file.ts';
export { fileType } from './attachment-type.ts';
export {
  claimAttachments,
  discardAttachments,
  handOverAttachments,
  releaseAttachments,
} from './claim-attachments.ts';
export { type OpenAttachment, openFile } from './open-file.ts';
export { storageUse } from './storage-use.ts';
export { storeReceivedFiles } from './store-received-files.ts';
