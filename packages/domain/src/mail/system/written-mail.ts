import type { MessageToWrite } from '../sending/compose.ts';

/** What a writer makes of a mail: its text, with the return path, or the reason why it is not sent. */
export type WrittenMail =
  | {
      message: Omit<MessageToWrite, 'date' | 'messageId' | 'references' | 'attachments' | 'cc' | 'to'> & {
        to: MessageToWrite['to'][number];
      };
      /** Where it is returned if the installation has no address for that. Empty: nowhere. */
      returnPath: string;
    }
  | { reason: string };
