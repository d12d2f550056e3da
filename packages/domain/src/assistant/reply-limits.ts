import { type Assistant, AssistantError, type AssistantPrompt } from './assistant.ts';

export interface ReplyLimits {
  firstTokenMs: number;
  betweenTokensMs: number;
  wholeMs: number;
  /** In UTF-16 units. */
  characters: number;
}

export const replyLimits: ReplyLimits = {
  firstTokenMs: 30_000,
  betweenTokensMs: 20_000,
  wholeMs: 90_000,
  characters: 16_000,
};

/**
 * Yields an assistant's reply within limits of time and length. No piece contains U+0000 or half a surrogate pair. Raises
 * `AssistantError` beyond the limits, and the signal's reason after the signal, even if the assistant ignores the signal.
 */
export async function* limitReply(
  assistant: Assistant,
  prompt: AssistantPrompt,
  signal: AbortSignal,
  limits: ReplyLimits = replyLimits,
): AsyncGenerator<string> {
  const timeout = new AbortController();
  const ended = AbortSignal.any([signal, timeout.signal]);
  const abortAfter = (milliseconds: number, message: string) =>
    setTimeout(() => timeout.abort(new AssistantError(message)), milliseconds);
  const abortion = new Promise<never>((_, reject) => {
    ended.addEventListener('abort', () => reject(ended.reason), { once: true });
  });
  abortion.catch(() => {});
  const wholeTimer = abortAfter(limits.wholeMs, 'the language model took too long');
  let tokenTimer = abortAfter(limits.firstTokenMs, 'the language model did not begin in time');
  const pieces = assistant.reply(prompt, ended)[Symbol.asyncIterator]();
  try {
    let length = 0;
    let half = '';
    for (;;) {
      ended.throwIfAborted();
      const next = await Promise.race([pieces.next(), abortion]);
      clearTimeout(tokenTimer);
      if (next.done) return;
      tokenTimer = abortAfter(limits.betweenTokensMs, 'the language model fell silent');
      const text = half + next.value.replaceAll('\0', '');
      // The first half of a surrogate pair waits for the second.
      half = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : '';
      const ready = (half ? text.slice(0, -1) : text).toWellFormed();
      length += ready.length;
      if (length > limits.characters) throw new AssistantError('the reply grew too long');
      if (ready) yield ready;
    }
  } finally {
    clearTimeout(tokenTimer);
    clearTimeout(wholeTimer);
    timeout.abort(new AssistantError('the reply is no longer needed'));
    pieces.return?.()?.catch(() => {});
  }
}
