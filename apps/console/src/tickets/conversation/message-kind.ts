import type { TicketMessage } from '@firmdesk/contract';

export type MessageKind = 'trader' | 'team' | 'assistant' | 'system' | 'note' | 'command' | 'failure';

/** Returns the kind of a message, which decides its look and label. */
export function kindOf({ from, internal, event }: TicketMessage): MessageKind {
  if (event === 'ai_command_failed') return 'failure';
  if (event === 'ai_command') return 'command';
  if (internal) return from === 'system' ? 'system' : 'note';
  return from === 'admin' ? 'team' : from === 'ai' ? 'assistant' : from;
}
