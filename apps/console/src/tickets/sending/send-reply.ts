import { type DelayedSend, hasVisibleText, type TicketMessage } from '@firmdesk/contract';
import { client } from '../../api.ts';
import { fileIds } from '../../attachments/draft-file.ts';
import { replyFields } from '../../macros/draft-macros.ts';
import type { UnsavedMessage } from '../../outbox/entries.ts';
import { instructionOf } from '../composer/assistant-command.ts';
import { loadMentions } from '../properties/use-support-directory.ts';

/**
 * Calls the service: `tickets.holdReply` or `tickets.reply` for a reply, `tickets.addNote` for an internal note, `tickets.askAssistant` for a text
 * that begins with `/ai`. Returns the stored message, or the delayed send.
 */
export async function sendReply({
  ticket,
  mode,
  key,
  seenMessageId,
  isDelayed,
  mentions,
  draft: { text, html, imageUrl, imageName, files, macros },
}: UnsavedMessage): Promise<TicketMessage | DelayedSend> {
  const options = { context: { idempotencyKey: key } };
  const on = { ticket, seen_message_id: seenMessageId };
  const instruction = instructionOf(text);
  if (instruction !== null) return client.tickets.askAssistant.mutate({ ...on, instruction }, options);
  const content = {
    ...on,
    body: messageBody(text),
    attachments: fileIds(files),
    ...(html && { body_html: html }),
  };
  if (mode === 'note') {
    const note = { ...content, mentions: [...(mentions ?? (await loadMentions(text)))] };
    return client.tickets.addNote.mutate(note, options);
  }
  const reply = {
    ...content,
    image_url: imageUrl.trim() || null,
    image_name: imageName.trim() || null,
    ...replyFields(macros),
  };
  return isDelayed
    ? client.tickets.holdReply.mutate(reply, options)
    : client.tickets.reply.mutate(reply, options);
}

/** Returns the body with which the service stores a text. */
export function messageBody(text: string): string {
  const instruction = instructionOf(text);
  if (instruction !== null) return `/ai ${instruction}`;
  return hasVisibleText(text) ? text.trim() : '';
}
