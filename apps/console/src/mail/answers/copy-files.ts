import { newIdempotencyKey } from '@firmdesk/client';
import { attachmentPath, type OpenMailMessage } from '@firmdesk/contract';
import { client } from '../../api.ts';
import { type AnnounceFile, sendFile } from '../../attachments/send-file.ts';
import { firm } from '../../session/firm.ts';
import { toast } from '../../shell/toast.ts';
import { divideFiles } from '../message/inline-images.ts';

/** Returns a function that announces the files of mail from a mailbox. */
export function announceFrom(address_id: number): AnnounceFile {
  return (file, options) => client.mail.createAttachment.mutate({ ...file, address_id }, options);
}

/** Uploads the files of a message again, for a message that forwards it. Returns their ids. */
export async function copyFiles(message: OpenMailMessage, address_id: number): Promise<string[]> {
  const files = divideFiles(message).listed.filter(({ deleted }) => !deleted);
  const id = `copy ${message.id}`;
  if (files.length > 0) toast.loading('Attaching the files of the message…', { id });
  const { signal } = new AbortController();
  try {
    const copies: string[] = [];
    for (const file of files) {
      const answer = await fetch(attachmentPath(firm!, file.id));
      if (!answer.ok) throw new Error(`The file ${file.name} could not be read. Try again.`);
      const content = new File([await answer.blob()], file.name, { type: file.type });
      const key = newIdempotencyKey();
      copies.push(
        await sendFile(content, { announce: announceFrom(address_id), key, onProgress: () => {}, signal }),
      );
    }
    return copies;
  } finally {
    toast.dismiss(id);
  }
}
