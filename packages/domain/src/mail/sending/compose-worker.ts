/** The worker thread of `compose.ts`. */
import { compile } from 'html-to-text';
import { createTransport } from 'nodemailer';
import { serveTasks } from '../../platform/process/serve-tasks.ts';
import type { MessageToWrite } from './compose.ts';

const toText = compile({
  wordwrap: 78,
  limits: { maxInputLength: 10 * 1024 * 1024, maxDepth: 100, maxChildNodes: 10_000, ellipsis: '…' },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    // Pictures are parts of the message.
    { selector: 'img', format: 'skip' },
  ],
});

const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

/** Writes a message as RFC 5322 has it. Reads nothing that its text names, neither files nor URLs. */
async function write({ html, ...message }: MessageToWrite): Promise<Uint8Array<ArrayBuffer>> {
  const { message: raw } = await writer.sendMail({
    ...message,
    html,
    text: toText(html),
    // Pictures in the text become parts.
    attachDataUrls: true,
    attachments: message.attachments.map((file) => ({ ...file, content: Buffer.from(file.content) })),
    disableFileAccess: true,
    disableUrlAccess: true,
    maxRecipients: 0,
  });
  return Uint8Array.from(raw as Buffer);
}

serveTasks(write);
