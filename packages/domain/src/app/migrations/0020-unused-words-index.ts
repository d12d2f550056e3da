import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** Words that no text has any more, those first that have been so for longest. */
export class UnusedWordsIndex extends ConcurrentIndexes {
  protected override readonly create = {
    search_words_unused: 'search_words (unused_since) where unused_since is not null',
  };
}
