import type { TicketMessage } from '@firmdesk/contract';
import { client } from '../api.ts';
import { instructionOf } from './assistant-command.ts';
import type { ComposerMode, ReplyDraft } from './reply-drafts.ts';

/** A reply, a note or an instruction to the assistant that is being sent. */
export interface MessageToSend extends Pick<ReplyDraft, 'text' | 'imageUrl' | 'imageName'> {
  mode: ComposerMode;
  /** Its idempotency key: a retry with the same key stores the message once. */
  key: string;
  /** `created_at` of the conversation's last message when this one was sent. */
  after: string;
}

/**
 * Calls the service: `tickets.reply` for a reply, `tickets.addNote` for an internal note, `tickets.askAssistant` for a text
 * that begins with `/ai`. Returns the stored message.
 */
export function sendReply(ticket: string, message: MessageToSend): Promise<TicketMessage> {
  const { mode, text, imageUrl, imageName, key } = message;
  const options = { context: { idempotencyKey: key } };
  const instruction = instructionOf(text);
  if (instruction !== null) return client.tickets.askAssistant.mutate({ ticket, instruction }, options);
  const body = messageBody(text);
  if (mode === 'note') return client.tickets.addNote.mutate({ ticket, body }, options);
  const image = { image_url: imageUrl.trim() || null, image_name: imageName.trim() || null };
  return client.tickets.reply.mutate({ ticket, body, ...image }, options);
}

/** Returns the body with which the service stores a text. */
export function messageBody(text: string): string {
  const instruction = instructionOf(text);
  return instruction === null ? text.trim() : `/ai ${instruction}`;
}
