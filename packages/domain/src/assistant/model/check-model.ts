import { Completion } from './completion.ts';
import { readModelEvents } from './model-events.ts';
import { ModelClient, ModelRejection, type ModelSettings } from './model-request.ts';

const TIMEOUT_MS = 15_000;
/** What is shown of an answer. */
const MAX_EXCERPT_LENGTH = 200;

const PROMPT = {
  system: 'You answer with one word.',
  conversation: '{}',
  instruction: 'Say yes.',
  subject: '',
  trader: '',
};

/** Asks the model for one token, as replies are asked for, and returns what came back, without secrets. */
export async function checkModel(
  settings: ModelSettings,
  timeoutMs = TIMEOUT_MS,
): Promise<{ ok: boolean; detail: string }> {
  const { origin, pathname } = new URL(settings.baseUrl);
  const place = `${settings.model} at ${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const body = await new ModelClient(settings).request(PROMPT, signal, { maxTokens: 1, retries: 0 });
    const text = (await readText(body)).trim();
    return { ok: true, detail: `${place} answered${text && ` ${excerptOf(text, settings)}`}` };
  } catch (error) {
    if (needsMoreTokens(error))
      return { ok: true, detail: `${place} answered that it needs more than one token` };
    return { ok: false, detail: `${place} ${problemOf(error, settings, signal)}` };
  }
}

/** Returns the text of an answer. Throws if it is no completion. */
async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  const completion = new Completion();
  let text = '';
  for await (const events of readModelEvents(body)) {
    for (const event of events) text += completion.take(event);
    // After one token most models stop because of the limit.
    if (completion.finishReason !== null || completion.isDone || text.length > MAX_EXCERPT_LENGTH) break;
  }
  if (!completion.hasChoice) throw new NoCompletionError();
  return text;
}

/** Returns whether a model that thinks first has found no room for its reply, as OpenAI's do. */
function needsMoreTokens(error: unknown): boolean {
  return (
    error instanceof ModelRejection && error.status === 400 && /output limit was reached/.test(error.answer)
  );
}

class NoCompletionError extends Error {}

function problemOf(error: unknown, settings: ModelSettings, signal: AbortSignal): string {
  if (signal.aborted) return 'did not answer in time';
  if (error instanceof ModelRejection) {
    const { status, answer } = error;
    // Such an answer may repeat a part of the key.
    if (status === 401 || status === 403)
      return `answered with status ${status}: ASSISTANT_API_KEY is rejected by ASSISTANT_BASE_URL`;
    return `answered with status ${status}${answer.trim() && `: ${excerptOf(answer, settings)}`}`;
  }
  const { cause } = error as Error;
  if (typeof cause === 'string') return `answered with an error: ${excerptOf(cause, settings)}`;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  if (code !== undefined) return `cannot be reached: ${code}`;
  return 'answered, but not as `/chat/completions` of an OpenAI-compatible API does';
}

/** Returns the beginning of what an endpoint sent, in quotation marks and without the key and what the address carries. */
function excerptOf(text: string, { apiKey, baseUrl }: ModelSettings): string {
  const secrets = [apiKey, ...new URL(baseUrl).searchParams.values()].filter((secret) => secret);
  const safe = secrets.reduce<string>((rest, secret) => rest.replaceAll(secret!, '***'), text);
  const line = safe.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  return `“${line.length > MAX_EXCERPT_LENGTH ? `${line.slice(0, MAX_EXCERPT_LENGTH)}…` : line}”`;
}
