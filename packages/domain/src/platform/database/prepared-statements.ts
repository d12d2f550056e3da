import { LRUCache } from 'lru-cache';

/** How many statements a pool prepares. Each takes memory on every connection that has executed it. */
const MOST_PREPARED = 200;

/** The repeated statements that the connections of one pool prepare. The server then plans them only a few times. */
export class PreparedStatements {
  /** By text. A name never stands for another text, because connections keep what they have prepared. */
  readonly #names = new Map<string, string>();
  /** The texts that were executed once. Some have as many parameters as a list has items, and do not come again. */
  readonly #seenOnce = new LRUCache<string, true>({ max: 1_000 });

  /**
   * Returns the name under which connections prepare a statement; undefined for one that is not prepared.
   * A statement that returns all columns would fail after a migration that adds one.
   */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined || this.#names.size === MOST_PREPARED) return name;
    if (!this.#seenOnce.get(text)) {
      this.#seenOnce.set(text, true);
      return undefined;
    }
    if (text.replaceAll('count(*)', '').includes('*')) return undefined;
    this.#seenOnce.delete(text);
    this.#names.set(text, `firmdesk-${this.#names.size + 1}`);
    return this.#names.get(text);
  }
}
