/** An answer that takes longer is not waited for: the console calls again, with retries. */
const TIMEOUT_MS = 10_000;

/** The answers that the page has asked for before the console's code was loaded, by procedure and input. */
const answers = new Map<string, Promise<unknown>>();

/**
 * Calls a query without the client, which is still being loaded. The console's first call with the same input takes its answer. Resolves
 * with undefined if the call fails: the console then calls again, and shows what is wrong.
 */
export function callEarly(procedure: string, input: unknown, workspace: string | null): Promise<unknown> {
  const answer = fetchAnswer(procedure, input, workspace);
  answers.set(keyOf(procedure, input), answer);
  return answer;
}

/** Returns the answer of a query that was called early, or undefined. Each is returned once. */
export function takeEarlyAnswer(procedure: string, input: unknown): Promise<unknown> | undefined {
  const key = keyOf(procedure, input);
  const answer = answers.get(key);
  answers.delete(key);
  return answer;
}

async function fetchAnswer(procedure: string, input: unknown, workspace: string | null): Promise<unknown> {
  const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify({ json: input }))}`;
  try {
    const response = await fetch(`/trpc/${procedure}${query}`, {
      headers: workspace === null ? {} : { 'service-workspace': workspace },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { result } = await response.json();
    // An answer with `meta` contains values other than JSON, which only the client can read.
    return response.ok && result.data.meta === undefined ? result.data.json : undefined;
  } catch {
    return undefined;
  }
}

function keyOf(procedure: string, input: unknown): string {
  return `${procedure} ${JSON.stringify(input)}`;
}
