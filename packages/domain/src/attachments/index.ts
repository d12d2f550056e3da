/** What other features may use of this one. */

export { announceFile } from './announce-file.ts';
export { type AttachmentRow, toAttachment } from './attachment-row.ts';
export { fileType, isProgram } from './attachment-type.ts';
export {
  claimAttachments,
  claimReceivedFiles,
  discardAttachments,
  handOverAttachments,
  releaseAttachments,
} from './claim-attachments.ts';
export { type OpenAttachment, openFile } from './open-file.ts';
export { awaitsScan } from './scanner.ts';
export { storageUse } from './storage-use.ts';
export { scanReceivedFiles, storeReceivedFiles } from './store-received-files.ts';
