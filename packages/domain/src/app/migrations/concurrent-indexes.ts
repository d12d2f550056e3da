import { Migration } from '@mikro-orm/migrations';

/**
 * Builds and drops indexes `concurrently`, while calls run; this is not possible in a transaction. An interrupted migration
 * is run again: it keeps valid indexes and rebuilds an index that the interruption left invalid.
 */
export abstract class ConcurrentIndexes extends Migration {
  /** The indexes to create: the text after `on` in `create index NAME on`, by name. */
  protected readonly create: Readonly<Record<string, string>> = {};
  /** The names of the indexes in `create` that are unique. */
  protected readonly unique: readonly string[] = [];
  /** The names of indexes to drop. */
  protected readonly drop: readonly string[] = [];

  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    // Nothing waits behind a concurrent build, so it may wait for the oldest transaction.
    this.addSql('set lock_timeout = 0');
    const names = Object.keys(this.create);
    const found = await this.execute(
      `select c.relname::text as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = current_schema()::regnamespace`,
    );
    const isValid = new Map(
      (found as { name: string; valid: boolean }[]).map(({ name, valid }) => [name, valid]),
    );
    for (const name of [...this.drop, ...names.filter((name) => isValid.get(name) === false)])
      this.addSql(`drop index concurrently if exists ${name}`);
    for (const name of names) {
      const kind = this.unique.includes(name) ? 'unique index' : 'index';
      if (!isValid.get(name)) this.addSql(`create ${kind} concurrently ${name} on ${this.create[name]}`);
    }
    this.addSql('reset lock_timeout');
  }
}
