import { Migration } from '@mikro-orm/migrations';
import { PROGRESS } from '../../platform/database/migrations/run-migrations.ts';

const SMALL_BYTES = 8_000_000;

/**
 * A migration of several statements that commit separately, while calls run. An interrupted one is run again: each step finds
 * out what is already done.
 */
export abstract class OnlineMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  /** Returns the rows of a statement, which has committed. */
  protected async query<Row>(statement: string): Promise<Row[]> {
    return (await this.execute(statement)) as Row[];
  }

  /** Logs how far the migration is. */
  protected report(message: string): void {
    this.config.getLogger().log(PROGRESS, message);
  }

  /** Logs a step on a table, unless it takes no time because the table is small. */
  async #reportStep(table: string, message: string): Promise<void> {
    const [size] = await this.query<{ bytes: number }>(
      `select pg_relation_size('${table}')::float8 as bytes`,
    );
    if (size!.bytes > SMALL_BYTES) this.report(message);
  }

  /** Builds an index `concurrently`, unless it exists. `definition` is the text after `on`. */
  protected async buildIndex(name: string, definition: string, isUnique: boolean): Promise<void> {
    const [found] = await this.query<{ valid: boolean }>(`
      select i.indisvalid as valid from pg_index i where i.indexrelid = to_regclass('public.${name}')`);
    if (found?.valid) return;
    await this.#reportStep(definition.slice(0, definition.indexOf(' ')), `building the index ${name}`);
    // Nothing waits behind a concurrent build, so it may wait for the oldest transaction.
    await this.execute('set lock_timeout = 0');
    if (found) await this.execute(`drop index concurrently ${name}`);
    await this.execute(`create ${isUnique ? 'unique ' : ''}index concurrently ${name} on ${definition}`);
    await this.execute('reset lock_timeout');
  }

  /** Drops an index `concurrently`. */
  protected async dropIndex(name: string): Promise<void> {
    // Waits for the oldest transaction. Nothing waits behind it.
    await this.execute('set lock_timeout = 0');
    await this.execute(`drop index concurrently if exists ${name}`);
    await this.execute('reset lock_timeout');
  }

  /** Adds a constraint and checks the existing rows. Calls wait only while it is added, not while rows are checked. */
  protected async addConstraint(table: string, name: string, definition: string): Promise<void> {
    const [found] = await this.query<{ valid: boolean }>(`
      select convalidated as valid from pg_constraint
      where conrelid = '${table}'::regclass and conname = '${name}'`);
    if (found?.valid) return;
    await this.#reportStep(table, `checking the constraint ${name} of ${table}`);
    if (!found) await this.execute(`alter table ${table} add constraint ${name} ${definition} not valid`);
    await this.execute(`alter table ${table} validate constraint ${name}`);
  }
}
