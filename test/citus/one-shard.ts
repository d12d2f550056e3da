import { appendFileSync } from 'node:fs';
import { callerOf, DatabaseClient, isTest, setStatementCheck } from '@firmdesk/domain/testing';
import pg from 'pg';
import { afterAll, expect } from 'vitest';

/** A statement with the values of its first execution. */
interface Statement {
  text: string;
  values?: unknown[];
}

/**
 * Explains each statement before its first execution. Fails the test file if one of the server's statements uses several shards, because a
 * table in it is not restricted to the firm. Statements of all firms are marked (`allFirms`).
 */
const ofServer = new Set<string>();
setStatementCheck((text) => {
  if (!ofServer.has(text) && !isTest(callerOf())) ofServer.add(text);
});
/** Reads that compose one batch of pushes for devices of several firms, and the ages that `/metrics` shows. */
const batches = [
  'jsonb_to_recordset($1::jsonb) as o (id uuid, workspace_id integer',
  'jsonb_to_recordset($1::jsonb) as k (user_id text, workspace_id integer',
  'select min(',
];
const seen = new Set<string>();
const violations = new Map<string, string>();
const report = process.env['CITUS_STATEMENTS'];
const explainers = new Map<string, Promise<pg.Client>>();

let lastPlan: Promise<unknown> = Promise.resolve();

type Query = (this: pg.Client, ...args: unknown[]) => unknown;
const client = DatabaseClient.prototype as unknown as { query: Query };
const query = client.query;
client.query = function (this: pg.Client, ...args: unknown[]) {
  const fresh = statementsOf(args).filter(({ text }) => isExplainable(text) && !seen.has(text));
  if (fresh.length === 0) return query.apply(this, args);
  for (const { text } of fresh) seen.add(text);
  const explained = Promise.all(fresh.map((statement) => explain(this, statement)));
  const [config] = args;
  // A batch reports its results by itself.
  if (typeof config === 'object' && config !== null && 'submit' in config) {
    void explained.then(() => query.apply(this, args));
    return config;
  }
  return explained.then(() => query.apply(this, args));
};

function statementsOf([config, values]: unknown[]): Statement[] {
  if (typeof config === 'string') return [{ text: config, ...(Array.isArray(values) && { values }) }];
  if (typeof config !== 'object' || config === null) return [];
  if ('statements' in config) return config.statements as Statement[];
  if ('text' in config) return [{ ...(config as Statement), ...(Array.isArray(values) && { values }) }];
  return [];
}

const isExplainable = (text: string) =>
  /^\s*(\/\*.*?\*\/\s*)*(select|with|insert|update|delete)\b/is.test(text) &&
  !/pg_|citus|graphile_worker\./.test(text);

async function explain(of: pg.Client, { text, values }: Statement): Promise<void> {
  // One after the other: they share a connection.
  const planned = lastPlan.then(() => planOf(of, text, values));
  lastPlan = planned;
  const plan = await planned;
  const tasks = Math.max(0, ...[...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count)));
  const isRefused = plan.startsWith('error: ');
  if (report)
    appendFileSync(
      report,
      `${JSON.stringify({ tasks, plan: isRefused || tasks > 1 ? plan : /method: .*|Subplan/.exec(plan)?.[0], text, values, file: expect.getState().testPath })}\n`,
    );
  if (tasks > 1 && !text.includes('/* all firms: ') && !batches.some((batch) => text.includes(batch)))
    violations.set(text, `${tasks} shards`);
}

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
  try {
    const explainer = await opening;
    const { rows } = await explainer.query({ text: `explain (costs off) ${text}`, values: values ?? [] });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } catch (error) {
    return `error: ${(error as Error).message}`;
  }
}

afterAll(async () => {
  for (const opening of explainers.values()) await opening.then((opened) => opened.end()).catch(() => {});
  explainers.clear();
  const own = [...violations].filter(([text]) => ofServer.has(text));
  expect(own.map(([text, why]) => `${why}: ${text}`)).toEqual([]);
  violations.clear();
});
