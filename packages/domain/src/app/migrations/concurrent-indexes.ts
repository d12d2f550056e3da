import { Migration } from '@mikro-orm/migrations';

/**
 * Builds and drops indexes while calls go on: `concurrently`, which no transaction allows. It can be interrupted anywhere
 * and is then run again: what is there already is left, and an index that an interrupted build left invalid is built anew.
 */
export abstract class ConcurrentIndexes extends Migration {
  /** By name: what follows `on` in `create index NAME on`. */
  protected readonly create: Readonly<Record<string, string>> = {};
  /** Which of them are unique. */
  protected readonly unique: readonly string[] = [];
  /** Names of indexes that are no longer needed. */
  protected readonly drop: readonly string[] = [];

  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    // Nothing queues behind a concurrent build, so it may wait for as long as the oldest transaction takes.
    this.addSql('set lock_timeout = 0');
    const names = Object.keys(this.create);
    const found = await this.execute(
      `select c.relname::text as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = 'public'::regnamespace`,
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
