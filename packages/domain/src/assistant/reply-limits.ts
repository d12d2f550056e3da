import { type Assistant, AssistantError, type AssistantPrompt } from './assistant.ts';
import type { TokenUsage } from './assistant-metrics.ts';

/** The limits of one reply. */
export interface ReplyLimits {
  /** Until the first piece of text. */
  firstTokenMs: number;
  /** Between two pieces. */
  betweenTokensMs: number;
  /** For the complete reply. */
  totalMs: number;
  /** In UTF-16 units. */
  characters: number;
}

export const replyLimits: ReplyLimits = {
  firstTokenMs: 30_000,
  betweenTokensMs: 20_000,
  totalMs: 90_000,
  characters: 16_000,
};

/**
 * Yields an assistant's reply within limits of time and length. No piece contains U+0000 or half a surrogate pair. Throws
 * `AssistantError` beyond the limits, and the signal's reason after the signal, even if the assistant ignores the signal.
 */
export async function* limitReply(
  assistant: Assistant,
  prompt: AssistantPrompt,
  signal: AbortSignal,
  limits: ReplyLimits = replyLimits,
  onUsage?: (usage: TokenUsage) => void,
): AsyncGenerator<string> {
  const timeout = new AbortController();
  const ended = AbortSignal.any([signal, timeout.signal]);
  const abortAfter = (milliseconds: number, message: string) =>
    setTimeout(() => timeout.abort(new AssistantError(message)), milliseconds);
  const aborted = new Promise<never>((_, reject) => {
    ended.addEventListener('abort', () => reject(ended.reason), { once: true });
  });
  aborted.catch(() => {});
  const totalTimer = abortAfter(limits.totalMs, 'the language model took too long');
  let tokenTimer = abortAfter(limits.firstTokenMs, 'the language model did not start in time');
  const pieces = assistant.reply(prompt, ended, onUsage)[Symbol.asyncIterator]();
  try {
    let length = 0;
    let half = '';
    for (;;) {
      ended.throwIfAborted();
      const next = await Promise.race([pieces.next(), aborted]);
      clearTimeout(tokenTimer);
      if (next.done) return;
      tokenTimer = abortAfter(limits.betweenTokensMs, 'the language model stopped sending its reply');
      const text = half + next.value.replaceAll('\0', '');
      // The first half of a surrogate pair waits for the second.
      half = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : '';
      const ready = (half ? text.slice(0, -1) : text).toWellFormed();
      length += ready.length;
      if (length > limits.characters) throw new AssistantError('the reply was too long');
      if (ready) yield ready;
    }
  } finally {
    clearTimeout(tokenTimer);
    clearTimeout(totalTimer);
    timeout.abort(new AssistantError('the reply is no longer needed'));
    pieces.return?.()?.catch(() => {});
  }
}
