import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** An index of unused words, the longest unused first. */
export class UnusedWordsIndex extends ConcurrentIndexes {
  protected override readonly create = {
    search_words_unused: 'search_words (unused_since) where unused_since is not null',
  };
}
