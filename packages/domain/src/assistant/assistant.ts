/** A request for a reply. Only `system` and `instruction` are to be followed; `conversation` is data. */
export interface AssistantPrompt {
  system: string;
  /** The ticket's subject and messages as JSON. No text in it can end the JSON. */
  conversation: string;
  instruction: string;
  /** For the demo assistant, which parses no JSON. */
  subject: string;
  trader: string;
}

/** Writes replies: a language model, or the demo. */
export interface Assistant {
  /** Yields the reply in pieces and throws if it fails. After the signal it ends soon. */
  reply(prompt: AssistantPrompt, signal: AbortSignal): AsyncIterable<string>;
}

declare module '../platform/services.ts' {
  interface Services {
    /** Writes replies to traders. */
    assistant: Assistant;
  }
}

/** The assistant could not write the reply. The message is shown to the team: it contains no host name and no trader's text. */
export class AssistantError extends Error {
  override name = 'AssistantError';
}
