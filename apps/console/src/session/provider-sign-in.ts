import { client } from '../api.ts';

/** The sessionStorage key of the sign-in that this window has begun at a provider. */
const BEGUN = 'firmdesk.provider-sign-in';

interface Begun {
  state: string;
  /** The page to open afterwards. */
  back: string;
}

type Start = Parameters<typeof client.sessions.startProvider.mutate>[0];

/** Opens the page of the firm's provider. It sends the person to the page `/sign-in/provider`, which {@link takeBegun} continues. */
export async function signInAtProvider(by: Start, back: string): Promise<void> {
  const { url, state } = await client.sessions.startProvider.mutate(by);
  sessionStorage.setItem(BEGUN, JSON.stringify({ state, back } satisfies Begun));
  location.assign(url);
  // The page leaves: whoever waits must not go on.
  await new Promise(() => {});
}

/** Returns the sign-in of this window to which an answer of the provider belongs, once. Null for an answer that it has not asked for. */
export function takeBegun(state: string | null): Begun | null {
  const begun = JSON.parse(sessionStorage.getItem(BEGUN) ?? 'null') as Begun | null;
  sessionStorage.removeItem(BEGUN);
  return begun !== null && begun.state === state ? begun : null;
}
