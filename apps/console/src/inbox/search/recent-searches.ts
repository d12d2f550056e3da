import { firm } from '../../session/firm.ts';
import { type StoredValue, storedValue } from '../../stored-value.ts';

const MAX_RECENT = 6;
const stored = new Map<string, StoredValue<readonly string[]>>();

/** The latest search texts of an account in this browser, the newest first. */
export function recentSearches(userId: string): StoredValue<readonly string[]> {
  const recent = stored.get(userId) ?? storedValue(`searches.${firm}.${userId}`, parse);
  stored.set(userId, recent);
  return recent;
}

export function rememberSearch(userId: string, text: string): void {
  const recent = recentSearches(userId);
  recent.set([text, ...recent.get().filter((each) => each !== text)].slice(0, MAX_RECENT));
}

function parse(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string').slice(0, MAX_RECENT) : [];
}
