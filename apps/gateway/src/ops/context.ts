import { readIntegerId } from '@firmdesk/contract';
import {
  migrate,
  type OperationContext,
  type Services,
  withSetupLock,
  withTransaction,
} from '@firmdesk/domain';
import { InvalidArgumentError } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { type Installation, openInstallation } from '../installation.ts';
import { createLogger } from '../logger.ts';

/** The environment of a command. The installation is opened on first use and closed when the command ends. */
export interface OpsContext {
  config(): Config;
  /** Returns services on a migrated database, embedded or not. A gateway may be running on the same database. */
  services(): Promise<Services>;
  /** Runs an operation in one transaction. */
  run<T>(operation: (ctx: OperationContext) => Promise<T>): Promise<T>;
  /** Prints the result on stdout: as JSON with `--json`, otherwise as text. */
  print(result: unknown, text: string): void;
  /** Prints a message or progress on stderr. */
  say(line: string): void;
  close(): Promise<void>;
}

/** Creates the context of a command from its environment variables. `isJson` is read when the command prints. */
export function createContext(env: Record<string, string | undefined>, isJson: () => boolean): OpsContext {
  let installation: Promise<Installation> | null = null;
  const config = () => readConfig(env, process.cwd());

  async function open(): Promise<Installation> {
    const settings = config();
    // Errors are printed as the command's own message, so the log only needs warnings.
    const log = createLogger('warn');
    const opened = await openInstallation(settings, log, settings.publicUrl ?? '');
    try {
      await withSetupLock(opened.databaseUrl, () => migrate(opened.services));
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  const services = async () => {
    installation ??= open();
    return (await installation).services;
  };
  return {
    config,
    services,
    run: async (operation) => withTransaction(await services(), operation),
    print(result, text) {
      process.stdout.write(isJson() ? `${JSON.stringify(result, null, 2)}\n` : `${text}\n`);
    },
    say: (line) => void process.stderr.write(`${line}\n`),
    async close() {
      // An installation that failed to open has already been closed.
      await (await installation?.catch(() => null))?.close();
    },
  };
}

/** Parses an option's value as a positive integer. */
export function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('It must be an integer from 1 to 999999999.');
  return Number(text);
}

/** Parses an option's value as an integer id. */
export function integerId(text: string): number {
  const id = readIntegerId(text);
  if (id === null) throw new InvalidArgumentError('It must be an id: an integer from 1 to 2147483647.');
  return id;
}

/** Formats rows as aligned columns for a terminal. */
export function table(rows: Record<string, unknown>[], columns: string[]): string {
  if (rows.length === 0) return '(none)';
  const cells = [columns, ...rows.map((row) => columns.map((column) => show(row[column])))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => line[i]!.length)));
  return cells
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function show(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return Array.isArray(value) ? value.join(',') || '-' : String(value);
}
