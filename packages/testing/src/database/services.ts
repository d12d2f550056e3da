import {
  type Clock,
  closeServices,
  createServices,
  findFirmServers,
  type Log,
  loggedError,
  type Services,
} from '@firmdesk/domain';
import type { ServicesOptions } from '@firmdesk/domain/testing';
import { cloneDatabase } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the run's PostgreSQL, with a migrated template database. */
    postgresUrl: string;
  }
}

/** A clock that only moves when a test advances it. */
export class TestClock implements Clock {
  #now: Date;
  constructor(now = new Date()) {
    this.#now = now;
  }
  now(): Date {
    return new Date(this.#now);
  }
  advance(milliseconds: number): void {
    this.#now = new Date(this.#now.getTime() + milliseconds);
  }
}

export interface LogLine {
  level: 'info' | 'warn' | 'error';
  message: string;
  fields: Record<string, unknown>;
}

/** Collects log lines as the real log would write them. */
export class TestLog implements Log {
  readonly lines: LogLine[] = [];
  info(fields: object, message: string): void {
    this.#add('info', fields, message);
  }
  warn(fields: object, message: string): void {
    this.#add('warn', fields, message);
  }
  error(fields: object, message: string): void {
    this.#add('error', fields, message);
  }
  #add(level: LogLine['level'], fields: object, message: string): void {
    const written = 'err' in fields ? { ...fields, err: loggedError(fields.err) } : { ...fields };
    this.lines.push({ level, message, fields: written });
  }
}

/** Services on a database of their own, with a clock and a log for assertions. */
export interface TestServices extends AsyncDisposable {
  services: Services;
  clock: TestClock;
  log: TestLog;
  databaseUrl: string;
}

/** Opens services on a new migrated database. Disposal closes the services and drops the database. */
export async function openTestServices(
  postgresUrl: string,
  options: Partial<Omit<ServicesOptions, 'databaseUrl' | 'clock' | 'log'>> = {},
): Promise<TestServices> {
  const database = await cloneDatabase(postgresUrl);
  const clock = new TestClock();
  const log = new TestLog();
  // Tests sign in many accounts from one address.
  const services = await createServices({
    limitsSignIns: false,
    ...options,
    databaseUrl: database.url,
    clock,
    log,
  });
  services.firmServers = await findFirmServers(services.pool);
  return {
    services,
    clock,
    log,
    databaseUrl: database.url,
    async [Symbol.asyncDispose]() {
      await closeServices(services);
      await database[Symbol.asyncDispose]();
    },
  };
}
