import { MAX_OPEN_BYTES, wordKey } from '../../../packages/domain/src/platform/search/add-postings.ts';
import { encodePostings } from '../../../packages/domain/src/platform/search/postings.ts';
import { copyLine } from './copy-in.ts';

/** Numbers per full list: their encoding just exceeds the size of an open list, as the job that indexes texts leaves it. */
const LIST_LENGTH = MAX_OPEN_BYTES;

/** The tickets that contain a word. */
export class WordPostings {
  readonly full: Buffer[] = [];
  latest: number[] = [];
  count = 0;
  #last = -1;

  /** Adds a ticket, whose number is not lower than those before it. */
  add(number: number): void {
    if (number === this.#last) return;
    this.#last = number;
    this.latest.push(number);
    this.count++;
    if (this.latest.length < LIST_LENGTH) return;
    this.full.push(encodePostings(this.latest));
    this.latest = [];
  }
}

/** Collects the postings of all words in memory, as the job that indexes texts would write them. */
export class PostingsCollector {
  readonly #words = new Map<string, WordPostings>();

  of(word: string): WordPostings {
    let postings = this.#words.get(word);
    if (!postings) {
      postings = new WordPostings();
      this.#words.set(word, postings);
    }
    return postings;
  }

  /** The rows of `search_words (workspace_id, key, word, postings)`. */
  *wordLines(workspaceId: number): Generator<string> {
    for (const [word, { count }] of this.#words) {
      if (count > 0) yield copyLine([workspaceId, wordKey(word), word, count]);
    }
  }

  /** The rows of `search_postings (workspace_id, key, segment, tickets)`. */
  *postingLines(workspaceId: number): Generator<string> {
    for (const [word, { full, latest }] of this.#words) {
      const key = wordKey(word);
      const lists = latest.length > 0 ? [...full, encodePostings(latest)] : full;
      for (const [segment, tickets] of lists.entries())
        yield copyLine([workspaceId, key, segment, hex(tickets)]);
    }
  }
}

function hex(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}
