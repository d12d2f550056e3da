import { hasVisibleText, withoutBidiControls } from '@firmdesk/contract';
import { type Assistant, AssistantError, type AssistantPrompt, RESET, type ReplyPiece } from './assistant.ts';
import type { TokenUsage } from './assistant-metrics.ts';
import { ReplyTrimmer } from './reply-trimmer.ts';

/** The limits of one reply. */
export interface ReplyLimits {
  /** Until the first piece of text, or since the last sign of life before it. */
  firstTokenMs: number;
  /** Since the last piece or sign of life, once there is text. */
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
 * Yields an assistant's reply within limits of time and length, trimmed and without bidi controls. No piece is empty or contains half a surrogate pair. `RESET`: the
 * text so far is no part of the reply. Throws `AssistantError` beyond the limits and for a reply in which nothing is visible, and the
 * signal's reason after the signal, even if the assistant ignores the signal.
 */
export async function* limitReply(
  assistant: Assistant,
  prompt: AssistantPrompt,
  signal: AbortSignal,
  limits: ReplyLimits = replyLimits,
  onUsage?: (usage: TokenUsage) => void,
): AsyncGenerator<ReplyPiece> {
  const timeout = new AbortController();
  const ended = AbortSignal.any([signal, timeout.signal]);
  const abortAfter = (milliseconds: number, message: string) =>
    setTimeout(() => timeout.abort(new AssistantError(message)), milliseconds);
  let abandon: (reason: unknown) => void = () => {};
  ended.addEventListener('abort', () => abandon(ended.reason), { once: true });
  const pieces = assistant.reply(prompt, ended, onUsage)[Symbol.asyncIterator]();
  /** Rejects at the end of `ended` too. A promise of that for the whole reply would keep all pieces that it was raced with in memory. */
  const nextPiece = () =>
    new Promise<IteratorResult<ReplyPiece>>((resolve, reject) => {
      abandon = reject;
      pieces.next().then(resolve, reject);
    });
  const totalTimer = abortAfter(limits.totalMs, 'the language model took too long');
  const awaitStart = () => abortAfter(limits.firstTokenMs, 'the language model did not start in time');
  const awaitNext = () => abortAfter(limits.betweenTokensMs, 'the language model stopped sending its reply');
  let tokenTimer = awaitStart();
  try {
    let length = 0;
    let half = '';
    let isVisible = false;
    let trimmer = new ReplyTrimmer();
    for (;;) {
      ended.throwIfAborted();
      const next = await nextPiece();
      clearTimeout(tokenTimer);
      if (next.done) break;
      let ready: ReplyPiece = '';
      if (next.value === RESET) {
        if (length > 0) ready = RESET;
        [length, half, isVisible, trimmer] = [0, '', false, new ReplyTrimmer()];
      } else {
        const text = half + next.value;
        // The first half of a surrogate pair waits for the second.
        half = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : '';
        ready = trimmer.push(withoutBidiControls((half ? text.slice(0, -1) : text).toWellFormed()));
        length += ready.length;
        if (length + trimmer.waiting > limits.characters) throw new AssistantError('the reply was too long');
        isVisible ||= hasVisibleText(ready);
      }
      tokenTimer = length > 0 ? awaitNext() : awaitStart();
      if (ready) yield ready;
    }
    if (!isVisible) throw new AssistantError('the language model wrote nothing');
  } finally {
    clearTimeout(tokenTimer);
    clearTimeout(totalTimer);
    timeout.abort(new AssistantError('the reply is no longer needed'));
    pieces.return?.()?.catch(() => {});
  }
}
