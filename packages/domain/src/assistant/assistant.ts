/** What the assistant is given. Only `system` and `instruction` are to be followed; `conversation` is data. */
export interface AssistantPrompt {
  system: string;
  /** The ticket as JSON: who wrote what. Nothing in it can end the JSON. */
  conversation: string;
  instruction: string;
  /** For the demo assistant, which reads no JSON. */
  subject: string;
  trader: string;
}

/** Whatever writes replies. */
export interface Assistant {
  /** The reply, piece by piece; ends when the reply is whole, throws when it cannot become so. Ends soon after the signal. */
  reply(prompt: AssistantPrompt, signal: AbortSignal): AsyncIterable<string>;
}

declare module '../platform/services.ts' {
  interface Services {
    /** Writes replies to traders. */
    assistant: Assistant;
  }
}

/** The assistant could not write a whole reply. The message is for the team: it names no host and quotes nobody. */
export class AssistantError extends Error {
  override name = 'AssistantError';
}
