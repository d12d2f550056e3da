/** The worker thread of `compose.ts`. */
import { createTransport } from 'nodemailer';
import { serveTasks } from '../../platform/process/serve-tasks.ts';
import { textOfMessage } from '../../platform/process/text-of-message.ts';
import type { MessageToWrite } from './compose.ts';

/** A message with more pictures in its HTML keeps them there. */
const MAX_PICTURES = 500;

const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

/** Writes a message as RFC 5322 has it. Reads nothing that its text names, neither files nor URLs. */
async function write(message: MessageToWrite): Promise<Uint8Array<ArrayBuffer>> {
  const { html } = message;
  const text = message.text ?? textOfMessage(html);
  const pictures = html.split('data:', MAX_PICTURES + 2).length - 1;
  const writeWith = async (attachDataUrls: boolean) => {
    const { message: raw } = await writer.sendMail({
      ...message,
      text,
      attachDataUrls,
      attachments: message.attachments.map((file) => ({ ...file, content: Buffer.from(file.content) })),
      disableFileAccess: true,
      disableUrlAccess: true,
      maxRecipients: 0,
    });
    return Uint8Array.from(raw as Buffer);
  };
  if (pictures > MAX_PICTURES) return writeWith(false);
  // Pictures in the HTML become parts. A URL that is malformed counts as the name of a file: then all stay where they are.
  return writeWith(true).catch((error: { code?: unknown }) => {
    if (error.code === 'EFILEACCESS') return writeWith(false);
    throw error;
  });
}

serveTasks(write);
