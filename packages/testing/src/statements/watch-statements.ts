import pg from 'pg';

type OnStatement = (text: string, isPrepared: boolean) => void;

let watcher: OnStatement | undefined;
let ofMigrations: OnStatement | undefined;

/**
 * Passes each statement that this process runs on any connection or pool to the function, before it is sent, with whether it is prepared.
 * Except those of migrations, which concern all firms.
 * A statement for which the function throws is not sent. Replaces the function of an earlier call: test files share a process.
 */
export function watchStatements(onStatement: OnStatement): void {
  watchClients();
  watcher = onStatement;
}

/** As {@link watchStatements}, for the statements of migrations. */
export function watchMigrations(onStatement: OnStatement): void {
  watchClients();
  ofMigrations = onStatement;
}

function watchClients(): void {
  if (!watcher && !ofMigrations) for (const { prototype } of [pg.Pool, pg.Client]) watch(prototype);
}

function watch(prototype: object): void {
  const methods = prototype as { query: (...args: unknown[]) => unknown };
  const { query } = methods;
  methods.query = function (this: unknown, ...args: unknown[]) {
    // A pool passes a callback to its client, and has passed the statement already.
    if (typeof args.at(-1) !== 'function') report(args[0], isMigration(this) ? ofMigrations : watcher);
    return query.apply(this, args);
  };
}

/** Returns whether a connection is that of migrations: by its name, because a test that loads the domain again has another class of clients. */
export function isMigration(connection: unknown): boolean {
  const { applicationName } = connection as { applicationName?: string };
  return applicationName?.endsWith(' migration') ?? false;
}

function report(statement: unknown, onStatement: OnStatement | undefined): void {
  const { text, name } =
    typeof statement === 'string'
      ? { text: statement, name: undefined }
      : ((statement ?? {}) as { text?: unknown; name?: unknown });
  if (typeof text === 'string') onStatement?.(text, name !== undefined);
}
