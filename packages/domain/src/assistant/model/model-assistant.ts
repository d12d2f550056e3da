import { type Assistant, AssistantError, RESET } from '../assistant.ts';
import { Completion, INTERRUPTED } from './completion.ts';
import { readModelEvents } from './model-events.ts';
import { ModelClient, type ModelSettings } from './model-request.ts';
import { ThoughtFilter } from './thoughts.ts';

/** The model stops after this many tokens. The reply then fails, because it is incomplete. */
const MAX_OUTPUT_TOKENS = 2_048;
/** How long the usage is waited for that follows a complete reply. */
const USAGE_MS = 1_000;

/** Returns an assistant that uses an OpenAI-compatible endpoint. */
export function createModelAssistant(settings: ModelSettings): Assistant {
  const client = new ModelClient(settings);
  /** Whether the last reply began with a thought without an opening mark: the model's next ones probably do. */
  let beginsThinking = false;
  return {
    async *reply(prompt, signal, onUsage = () => {}) {
      const completion = new Completion();
      const thoughts = new ThoughtFilter({ beginsThinking });
      const enough = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      try {
        const body = await client.request(prompt, AbortSignal.any([signal, enough.signal]), {
          maxTokens: MAX_OUTPUT_TOKENS,
        });
        reading: for await (const events of readModelEvents(body)) {
          yield '';
          for (const event of events) {
            const wasComplete = completion.isComplete;
            const piece = completion.take(event);
            // Only the usage is of interest after a complete reply.
            if (!wasComplete) {
              completion.ensureNotBroken();
              const { text, isReset } = thoughts.push(piece);
              if (isReset) {
                beginsThinking = true;
                yield RESET;
              }
              yield text;
            }
            if (completion.isDone) break reading;
          }
          if (completion.isComplete) timer ??= setTimeout(() => enough.abort(), USAGE_MS);
        }
      } catch (error) {
        signal.throwIfAborted();
        // Nothing that follows a complete reply undoes it.
        if (!completion.isComplete)
          throw error instanceof AssistantError ? error : new AssistantError(INTERRUPTED, { cause: error });
      } finally {
        clearTimeout(timer);
        if (completion.usage) onUsage(completion.usage);
      }
      if (!completion.isComplete) throw new AssistantError(INTERRUPTED);
      beginsThinking = thoughts.beganThinking;
      yield thoughts.end();
    },
  };
}
