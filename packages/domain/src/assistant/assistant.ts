import type { TokenUsage } from './assistant-metrics.ts';

/** A request for a reply. `system` and `instruction` are instructions to the model; `conversation` is data. */
export interface AssistantPrompt {
  system: string;
  /** The ticket's subject and messages as JSON. No text in it can end the JSON. */
  conversation: string;
  instruction: string;
  /** For the demo assistant, which parses no JSON. */
  subject: string;
  trader: string;
}

/** All text before it was not for the reader: the model thought. */
export const RESET = Symbol('reset');
export type ReplyPiece = string | typeof RESET;

/** Writes replies: a language model, or the demo. */
export interface Assistant {
  /**
   * Yields the reply in pieces; an empty one is a sign of life. Throws `AssistantError` if it fails. Ends soon after the signal. Reports
   * the tokens that it used, if they are known.
   */
  reply(
    prompt: AssistantPrompt,
    signal: AbortSignal,
    onUsage?: (usage: TokenUsage) => void,
  ): AsyncIterable<ReplyPiece>;
}

declare module '../platform/services.ts' {
  interface Services {
    /** Writes replies to traders. */
    assistant: Assistant;
  }
}

/** The assistant could not write the reply. The team sees the message, so it contains no host name and no text of the trader. */
export class AssistantError extends Error {
  override name = 'AssistantError';
}
