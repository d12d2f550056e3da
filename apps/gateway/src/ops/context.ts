import { userInfo } from 'node:os';
import { readIntegerId } from '@firmdesk/contract';
import {
  type Actor,
  findFirmServers,
  migrate,
  type OperationContext,
  resolveActor,
  type Services,
  withSetupLock,
  withTransaction,
} from '@firmdesk/domain';
import { resolveTimestamp } from '@firmdesk/seed';
import { InvalidArgumentError } from 'commander';
import { type Config, publicUrlOf, readConfig } from '../config.ts';
import { type Installation, openInstallation } from '../installation/installation.ts';
import { createLogger } from '../telemetry/logger.ts';

/** The environment of a command. The installation is opened on first use and closed when the command ends. */
export interface OpsContext {
  config(): Config;
  /** Returns services on a migrated database, embedded or not. A gateway may be running on the same database. */
  services(): Promise<Services>;
  /** Returns the operator, for the audit trail. */
  actor(): Promise<Actor>;
  /** Runs an operation of the operator in one transaction. */
  run<T>(operation: (ctx: OperationContext) => Promise<T>): Promise<T>;
  /** Prints the result on stdout: as JSON with `--json`, otherwise as text. */
  print(result: unknown, text: string): void;
  /** Prints a message or progress on stderr. */
  say(line: string): void;
  close(): Promise<void>;
}

/** Creates the context of a command from its environment variables. The options are read when the command uses them. */
export function createContext(
  env: Record<string, string | undefined>,
  options: () => { isJson: boolean; actor: string | undefined },
): OpsContext {
  let installation: Promise<Installation> | null = null;
  const config = () => readConfig(env, process.cwd());

  async function open(): Promise<Installation> {
    const settings = config();
    // Errors are printed as the command's own message, so the log only needs warnings.
    const log = createLogger('warn');
    const opened = await openInstallation(settings, log, { publicUrl: () => publicUrlOf(settings) });
    try {
      const { services } = opened;
      await withSetupLock(opened.databaseUrl, async () => {
        await migrate(services);
        services.firmServers = await findFirmServers(services.pool);
      });
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
  const actor = async (): Promise<Actor> => {
    const name = options().actor;
    if (name === undefined) return { kind: 'operator', id: env['SUDO_USER'] ?? systemUser() };
    return withTransaction(await services(), (ctx) => resolveActor(ctx, name));
  };
  return {
    config,
    services,
    actor,
    run: async (operation) => {
      const operator = await actor();
      return withTransaction(await services(), (ctx) => operation({ ...ctx, actor: operator }));
    },
    print(result, text) {
      process.stdout.write(`${printable(options().isJson ? JSON.stringify(result, null, 2) : text)}\n`);
    },
    say: (line) => void process.stderr.write(`${printable(line)}\n`),
    async close() {
      // An installation that failed to open has already been closed.
      await (await installation?.catch(() => null))?.close();
    },
  };
}

/**
 * Returns a text for a terminal. Names, ids and files of outsiders can contain control characters, by which a terminal changes its title or
 * what it has shown: they are written as in JSON. Line breaks and tabs remain.
 */
export function printable(text: string): string {
  return text.replace(
    /(?![\n\t])\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns the name of the operating system's account, or its number. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container can run under a number that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

export const DURATION_FORMS = 'such as 24h or 90d, or in ISO 8601: PT24H';

/** Parses an option's value as a duration. Returns it in ISO 8601. */
export function duration(text: string): string {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const iso = !unit ? text : unit === 'd' ? `P${count}D` : `PT${count}${unit.toUpperCase()}`;
  try {
    after(new Date(0), iso);
    return iso;
  } catch {
    throw new InvalidArgumentError(`It must be a duration, ${DURATION_FORMS}.`);
  }
}

/** Returns the time that is a duration in ISO 8601 later. */
export function after(time: Date, iso: string): Date {
  return new Date(resolveTimestamp(`now+${iso}`, time));
}

/** Parses an option's value as a list. */
export function commaSeparated(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Returns the function, called at most once a second. */
export function everySecond<Args extends unknown[]>(call: (...args: Args) => void): (...args: Args) => void {
  let last = performance.now();
  return (...args) => {
    if (performance.now() - last < 1_000) return;
    last = performance.now();
    call(...args);
  };
}

/** Parses an option's value as a positive integer. */
export function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('It must be an integer from 1 to 999999999.');
  return Number(text);
}

const UNITS: Readonly<Record<string, number>> = { MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 };

/** Parses an option's value as a number of bytes; null for `none`. */
export function byteCount(text: string): number | null {
  if (text === 'none') return null;
  const [, count, unit] = /^([1-9]\d{0,4})(MB|GB|TB)$/.exec(text) ?? [];
  if (unit === undefined)
    throw new InvalidArgumentError('It must be a number with MB, GB or TB, such as 20GB, or none.');
  return Number(count) * UNITS[unit]!;
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
