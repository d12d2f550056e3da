import {
  createWorkspace,
  openTcpProxy,
  openTestServices,
  type TcpProxy,
  type TestServices,
} from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expirePreRegistrations } from '../../affiliates/end-pre-registration.ts';
import { jobHandlers, schedules } from '../../app/jobs.ts';
import { isUnavailable } from '../database/database-errors.ts';
import { moveRequestedJobs } from '../jobs/job-forwarder.ts';

let base: TestServices;
let proxy: TcpProxy;
/** A firm on the server that is lost, and one on another server. */
let lost: number;
let kept: number;

beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
  const { rows: servers } = await query<{ id: number; host: string; port: number }>(
    'select nodeid as id, nodename as host, nodeport as port from pg_dist_node where shouldhaveshards order by nodeid',
  );
  const [server, other] = servers;
  lost = await createFirmOn(server!.id);
  kept = await createFirmOn(other!.id);
  proxy = await openTcpProxy(`postgres://${server!.host}:${server!.port}/`);
  await query(`select citus_update_node($1, '127.0.0.1', $2)`, server!.id, Number(new URL(proxy.url).port));
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await base[Symbol.asyncDispose]();
});

const query = <Row extends object>(text: string, ...values: unknown[]) =>
  base.services.pool.query<Row & Record<string, unknown>>(text, values);

async function createFirmOn(server: number): Promise<number> {
  for (;;) {
    const { id } = await createWorkspace(base.services);
    const { rows } = await query<{ server: number }>(
      `select n.nodeid as server from pg_dist_placement p join pg_dist_node n using (groupid)
       where p.shardid = get_shard_id_for_distribution_column('tickets', $1::integer)`,
      id,
    );
    if (rows[0]!.server === server) return id;
  }
}

/** Runs each scheduled job once. Returns those that failed because a server is lost; any other failure is thrown. */
async function runScheduled(): Promise<string[]> {
  const failed: string[] = [];
  for (const { job } of schedules) {
    const handler = jobHandlers.find(({ name }) => name === job)!;
    try {
      await handler.run(base.services, {}, undefined);
    } catch (error) {
      if (!isUnavailable(error)) throw new Error(`${job} failed`, { cause: error });
      failed.push(job);
    }
  }
  return failed;
}

/** Whether the reports of a firm are counted: 1 or 0. */
const counted = async (firm: number) =>
  (await query('select from report_progress where workspace_id = $1', firm)).rowCount;

/** As a transaction whose signal was lost. */
const requestJob = (firm: number) =>
  query(
    `insert into job_requests (workspace_id, task, payload, run_at) values ($1, 'test', '{}', now())`,
    firm,
  );
const requestsOf = async (firm: number) =>
  (await query('select from job_requests where workspace_id = $1', firm)).rowCount;

test('does the work of the other firms while a server is lost, and that of its firms afterwards', async () => {
  const { services } = base;
  for (const firm of [lost, kept]) {
    await requestJob(firm);
    await query(
      'update workspaces set storage_limit = 1000000, asks_satisfaction = true where id = $1',
      firm,
    );
    await query(
      `insert into affiliate_pre_registrations
         (workspace_id, id, email, referral_code, referral_url, source, status, expires_at, created_at, last_sent_at)
       values ($1, $2, 'a@x.example', $2, '', 'api', 'pending', now() - interval '1 day', now(), now())`,
      firm,
      `apr_${firm}`,
    );
  }
  proxy.cut();
  await expect(query('select from job_requests where workspace_id = $1', lost)).rejects.toThrow();

  expect(await moveRequestedJobs(services.firmServers)).toBe(1);
  expect(await requestsOf(kept)).toBe(0);
  expect(await expirePreRegistrations(services)).toBe(1);
  await runScheduled();
  expect(await counted(kept)).toBe(1);

  proxy.restore();
  await expect.poll(() => requestsOf(lost).catch(() => null)).toBe(1);
  expect(await moveRequestedJobs(services.firmServers)).toBe(1);
  expect(await requestsOf(lost)).toBe(0);
  expect(await expirePreRegistrations(services)).toBe(1);
  expect(await runScheduled()).toEqual([]);
  expect(await counted(lost)).toBe(1);
});
