/** How an attempt to write a reply ended: also `superseded` by another run, and `interrupted` by a shutdown or an outage. */
export type ReplyOutcome = 'done' | 'failed' | 'superseded' | 'interrupted';

/** The tokens that the model counted for a reply. */
export interface TokenUsage {
  input: number;
  output: number;
}

/** Measures the replies that this process writes. The callbacks do nothing by default. */
export interface AssistantMetrics {
  onReply: (outcome: ReplyOutcome, seconds: number) => void;
  /** The time from the request to the model to the first piece of its reply. */
  onFirstToken: (seconds: number) => void;
  onUsage: (usage: TokenUsage) => void;
}

declare module '../platform/services.ts' {
  interface Services {
    assistantMetrics: AssistantMetrics;
  }
}

export function createAssistantMetrics(): AssistantMetrics {
  return { onReply() {}, onFirstToken() {}, onUsage() {} };
}
