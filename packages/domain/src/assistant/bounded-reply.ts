import { type Assistant, AssistantError, type AssistantPrompt } from './assistant.ts';

export interface ReplyLimits {
  firstTokenMs: number;
  betweenTokensMs: number;
  wholeMs: number;
  /** UTF-16 units. */
  characters: number;
}

export const replyLimits: ReplyLimits = {
  firstTokenMs: 30_000,
  betweenTokensMs: 20_000,
  wholeMs: 90_000,
  characters: 16_000,
};

/**
 * An assistant's reply within bounds of time and length, as text that can be stored and cut between any two pieces. Raises
 * `AssistantError` beyond them, and the signal's reason after the signal, whether or not the assistant heeds it.
 */
export async function* boundedReply(
  assistant: Assistant,
  prompt: AssistantPrompt,
  signal: AbortSignal,
  limits: ReplyLimits = replyLimits,
): AsyncGenerator<string> {
  const late = new AbortController();
  const ended = AbortSignal.any([signal, late.signal]);
  const after = (milliseconds: number, message: string) =>
    setTimeout(() => late.abort(new AssistantError(message)), milliseconds);
  const over = new Promise<never>((_, reject) => {
    ended.addEventListener('abort', () => reject(ended.reason), { once: true });
  });
  over.catch(() => {});
  const whole = after(limits.wholeMs, 'the language model took too long');
  let stalled = after(limits.firstTokenMs, 'the language model did not begin in time');
  const pieces = assistant.reply(prompt, ended)[Symbol.asyncIterator]();
  try {
    let length = 0;
    let carried = '';
    for (;;) {
      ended.throwIfAborted();
      const next = await Promise.race([pieces.next(), over]);
      clearTimeout(stalled);
      if (next.done) return;
      stalled = after(limits.betweenTokensMs, 'the language model fell silent');
      const text = carried + next.value.replaceAll('\0', '');
      // Half a surrogate pair waits for its other half.
      carried = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : '';
      const ready = (carried ? text.slice(0, -1) : text).toWellFormed();
      length += ready.length;
      if (length > limits.characters) throw new AssistantError('the reply grew too long');
      if (ready) yield ready;
    }
  } finally {
    clearTimeout(stalled);
    clearTimeout(whole);
    late.abort(new AssistantError('nobody waits for the reply'));
    pieces.return?.()?.catch(() => {});
  }
}
