import { Migration } from '@mikro-orm/migrations';

/**
 * Tells the planner what the trigrams of a word cost: about 30 µs. Otherwise it reads the whole dictionary for a word of one or two
 * letters, and computes the trigrams of each word instead of using their index.
 */
export class SearchGramsCost extends Migration {
  override up(): void {
    this.addSql('alter function search_grams(integer, text) cost 10000');
  }
}
