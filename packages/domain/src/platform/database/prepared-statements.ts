import { LRUCache } from 'lru-cache';

/** How many statements a process prepares. Each takes memory on every connection that has executed it. */
const MOST_PREPARED = 200;

/** By text. A name never stands for another text, because connections keep what they have prepared. */
const names = new Map<string, string>();
/** The texts that were executed once. Some have as many parameters as a list has items, and do not come again. */
const seenOnce = new LRUCache<string, true>({ max: 1_000 });

/**
 * Returns the name under which connections prepare a statement, which the server then plans only a few times; undefined for one that is not prepared.
 * A statement that returns all columns would fail after a migration that adds one.
 */
export function preparedName(text: string): string | undefined {
  const name = names.get(text);
  if (name !== undefined || names.size === MOST_PREPARED) return name;
  if (!seenOnce.get(text)) {
    seenOnce.set(text, true);
    return undefined;
  }
  if (text.replaceAll('count(*)', '').includes('*')) return undefined;
  seenOnce.delete(text);
  names.set(text, `firmdesk-${names.size + 1}`);
  return names.get(text);
}
