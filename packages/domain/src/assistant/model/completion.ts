import { z } from 'zod';
import { AssistantError } from '../assistant.ts';
import type { TokenUsage } from '../assistant-metrics.ts';
import type { ModelEvent } from './model-events.ts';

export const INTERRUPTED = 'the language model could not be reached, or did not finish its reply';
const REFUSED = 'the language model refused to answer';

/** The finish reasons of a complete reply, in lower case. Whatever else a model ends with, its reply is not complete. */
const COMPLETE: readonly string[] = ['stop', 'eos', 'eos_token', 'end_turn', 'stop_sequence'];
/** The members that say that an event without a choice or usage is an error. */
const ERROR_MEMBERS = [
  'message',
  'msg',
  'code',
  'errors',
  'error_code',
  'error_msg',
  'error_message',
  'status_code',
];

const count = z.int().nonnegative().catch(0);
const Usage = z.object({ prompt_tokens: count, completion_tokens: count });
/** Some endpoints send parts, of which only those with text belong to the reply. */
const Content = z.union([
  z.string(),
  z.array(z.object({ type: z.string().optional(), text: z.unknown().optional() })),
]);
const Message = z.object({ content: Content.nullish(), refusal: z.string().nullish() });
/** The parts of a `chat.completion.chunk`, or of a whole `chat.completion`, that are used. */
const Chunk = z.looseObject({
  choices: z
    .array(
      z.object({
        delta: Message.nullish(),
        message: Message.nullish(),
        finish_reason: z.string().nullish(),
        error: z.unknown().optional(),
      }),
    )
    .nullish(),
  // For statistics only.
  usage: Usage.nullish().catch(null),
});

/** What a model has answered so far. */
export class Completion {
  usage: TokenUsage | null = null;
  finishReason: string | null = null;
  /** Whether `[DONE]` has arrived. */
  isDone = false;
  /** Whether a choice has arrived. */
  hasChoice = false;
  /** Whether an event has arrived that is no part of a completion. */
  #hasForeign = false;

  /** Whether the reply is complete. Some endpoints send no finish reason, only `[DONE]`. */
  get isComplete(): boolean {
    if (this.finishReason === null) return this.isDone && !this.#hasForeign;
    return COMPLETE.includes(this.finishReason.trim().toLowerCase());
  }

  /** Takes the next event, and returns its text. Throws `AssistantError` for an error of the model. */
  take({ name, data, isWhole }: ModelEvent): string {
    const isError = name.toLowerCase() === 'error';
    if (!isError && (name !== 'message' || data.trim() === '')) return '';
    if (data.trim() === '[DONE]' && !isError) {
      this.isDone = true;
      return '';
    }
    const chunk = isError ? null : Chunk.parse(JSON.parse(data));
    if (chunk === null || isErrorChunk(chunk))
      throw new AssistantError(INTERRUPTED, { cause: data.slice(0, 1_000) });
    if (chunk.usage) this.usage = { input: chunk.usage.prompt_tokens, output: chunk.usage.completion_tokens };
    if (!chunk.choices && !chunk.usage) this.#hasForeign = true;
    const [choice] = chunk.choices ?? [];
    if (!choice) return '';
    this.hasChoice = true;
    this.finishReason ??= choice.finish_reason || null;
    // Only a whole response is read from `message`: in a stream it would repeat the text of the deltas.
    const message = isWhole ? choice.message : choice.delta;
    if (message?.refusal) throw new AssistantError(REFUSED);
    return textOf(message?.content);
  }

  /** Throws `AssistantError` if the model has ended its reply before it was complete. */
  ensureNotBroken(): void {
    if (this.finishReason === null || this.isComplete) return;
    const reason = this.finishReason.toLowerCase();
    if (['length', 'max_tokens', 'model_length'].includes(reason))
      throw new AssistantError('the reply was too long');
    if (['content_filter', 'safety', 'refusal'].includes(reason)) throw new AssistantError(REFUSED);
    throw new AssistantError(INTERRUPTED);
  }
}

function isErrorChunk(chunk: z.infer<typeof Chunk>): boolean {
  const { choices, error, detail, object, type } = chunk;
  if (error || detail || object === 'error' || type === 'error' || choices?.[0]?.error) return true;
  const isEmpty = !choices?.length && chunk['usage'] == null;
  return isEmpty && ERROR_MEMBERS.some((member) => chunk[member] != null && chunk[member] !== '');
}

function textOf(content: z.infer<typeof Content> | null | undefined): string {
  if (typeof content === 'string') return content.replaceAll('\0', '');
  let text = '';
  for (const part of content ?? []) {
    if (part.type === 'text' && typeof part.text === 'string') text += part.text;
  }
  return text.replaceAll('\0', '');
}
