import { appendFileSync } from 'node:fs';
import { DatabaseClient } from '@firmdesk/domain/testing';
import { callerOf, isMigration, isTest, watchStatements } from '@firmdesk/testing';
import pg from 'pg';
import { afterAll, expect } from 'vitest';

/*
 * Explains each statement before its first execution. Fails the test file if one of the server's statements uses several shards, because a
 * table in it is not restricted to the firm, or if Citus cannot explain it. Statements on several firms are marked (`allFirms`). Those of
 * migrations are not explained: the explanation would wait for the tables that the migration has locked. With CITUS_STATEMENTS, also writes the
 * plans to that file, a line of JSON each.
 */

/** A statement with the values of its first execution. */
interface Statement {
  text: string;
  name?: string;
  values?: unknown[];
}

/** The statements that the server has sent, and not a test. */
const ofServer = new Set<string>();
watchStatements((text) => {
  if (!ofServer.has(text) && !isTest(callerOf())) ofServer.add(text);
});
const seen = new Set<string>();
const violations = new Map<string, string>();
const report = process.env['CITUS_STATEMENTS'];
const explainers = new Map<string, Promise<pg.Client>>();

let lastPlan: Promise<unknown> = Promise.resolve();

type Query = (this: pg.Client, ...args: unknown[]) => unknown;
const client = DatabaseClient.prototype as unknown as { query: Query };
const query = client.query;
client.query = function (this: pg.Client, ...args: unknown[]) {
  if (isMigration(this)) return query.apply(this, args);
  const fresh = statementsOf(args).filter(({ text }) => isExplainable(text) && !seen.has(text));
  if (fresh.length === 0) return query.apply(this, args);
  for (const { text, name } of fresh) {
    seen.add(text);
    // Only the server names statements; those of the platform do not pass the check.
    if (name !== undefined) ofServer.add(text);
  }
  const explained = Promise.all(fresh.map((statement) => explain(this, statement)));
  return explained.then(() => query.apply(this, args));
};

function statementsOf([config, values]: unknown[]): Statement[] {
  if (typeof config === 'string') return [{ text: config, ...(Array.isArray(values) && { values }) }];
  if (typeof config !== 'object' || config === null) return [];
  if ('text' in config) return [{ ...(config as Statement), ...(Array.isArray(values) && { values }) }];
  return [];
}

/** Tables of the coordinator, which Citus does not plan: the catalogue and the queue. */
const isLocal = (text: string) => /\b(from|into|update|join)\s+(pg_|citus_|graphile_worker\.)/i.test(text);
/** One statement that reads or writes rows. */
const isExplainable = (text: string) =>
  /^\s*(\/\*.*?\*\/\s*)*(\(\s*)?(select|with|insert|update|delete)\b/is.test(text) &&
  !/;\s*\S/.test(text) &&
  !isLocal(text);

async function explain(of: pg.Client, { text, name, values }: Statement): Promise<void> {
  // One after the other: they share a connection.
  const planned = lastPlan.then(() => planOf(of, text, values));
  lastPlan = planned;
  const plan = await planned;
  const tasks = Math.max(0, ...[...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count)));
  if (report) {
    const file = expect.getState().testPath;
    appendFileSync(report, `${JSON.stringify({ tasks, plan, text, name, values, file })}\n`);
  }
  if (tasks > 1 && !text.includes('/* all firms: ')) violations.set(text, `${tasks} shards`);
  if (plan.startsWith(REFUSED)) violations.set(text, plan);
}

const REFUSED = 'refused: ';

async function planOf(of: pg.Client, text: string, values: unknown[] | undefined): Promise<string> {
  const { host, port, user, password, database } = of as unknown as Record<string, string>;
  const key = `${host}:${port}/${database}`;
  const opening =
    explainers.get(key) ??
    (async () => {
      const opened = new pg.Client({
        host,
        port: Number(port),
        user,
        password: password ?? undefined,
        database,
      });
      opened.on('error', () => {});
      await opened.connect();
      return opened;
    })();
  explainers.set(key, opening);
  const explainer = await opening;
  try {
    return await explainBy(explainer, { text, values: values ?? [] });
  } catch (error) {
    if (!isRefusal(error)) return `error: ${(error as Error).message}`;
  }
  // Citus executes `insert … select` with parameters, and explains it only without.
  try {
    return await explainBy(explainer, {
      text: text.replace(/\$(\d+)/g, (_, n) => literal(values?.[Number(n) - 1])),
    });
  } catch (error) {
    return `${isRefusal(error) ? REFUSED : 'error: '}${(error as Error).message}`;
  }
}

async function explainBy(explainer: pg.Client, { text, values }: pg.QueryConfig): Promise<string> {
  const { rows } = await explainer.query({ text: `explain (costs off) ${text}`, ...(values && { values }) });
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

/** Returns whether Citus does not support a statement. Its other errors, such as of a lost server, are temporary. */
function isRefusal(error: unknown): boolean {
  return ['0A000', 'XX000'].includes((error as pg.DatabaseError).code ?? '');
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) {
    const items = value.map((item) =>
      item === null ? 'null' : `"${String(item).replace(/["\\]/g, '\\$&')}"`,
    );
    return pg.escapeLiteral(`{${items.join(',')}}`);
  }
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`;
  return pg.escapeLiteral(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

afterAll(async () => {
  for (const opening of explainers.values()) await opening.then((opened) => opened.end()).catch(() => {});
  explainers.clear();
  const own = [...violations].filter(([text]) => ofServer.has(text));
  expect(own.map(([text, why]) => `${why}: ${text}`)).toEqual([]);
  violations.clear();
});
