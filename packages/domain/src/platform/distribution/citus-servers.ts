import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import { isUnavailable } from '../database/database-errors.ts';
import { type AllFirmsRead, type FirmServers, oneServer } from '../database/firm-servers.ts';
import { ServerGuard } from './server-guard.ts';

/** How long it is remembered where a firm is. Firms move rarely, and a wrong place only counts their work for another server. */
const PLACES_MS = 30_000;
/** How long a server may take to accept a connection of the coordinator. */
const ANSWER_MS = 3_000;
const RECHECK_MS = 1_000;

const CHECK = `
  select citus_check_connection_to_node(n.nodename, n.nodeport) as answers
  from set_config('citus.node_connection_timeout', $2, true), pg_dist_node n where n.nodeid = $1`;

/**
 * Returns the servers of a migrated database. Its firms can be distributed only while no process runs, so it is asked in the setup lock, once
 * per process.
 */
export async function findFirmServers(pool: Pool): Promise<FirmServers> {
  const found = async (statement: string) => (await pool.query(statement)).rows.length > 0;
  const isDistributed =
    (await found(`select from pg_class where oid = to_regclass('pg_dist_partition')`)) &&
    (await found(
      `select from pg_dist_partition where logicalrelid = 'tickets'::regclass and partmethod = 'h'`,
    ));
  return isDistributed ? new CitusServers(pool) : oneServer(pool);
}

/**
 * The servers of a Citus cluster, as a pool reaches them through the coordinator. The work of all firms of one server uses at most half of the
 * pool's connections, and rejects with a transient error when that server is silent: at most 5 seconds after it became silent, and at once from
 * then on. PostgreSQL's time limits do not achieve this: a statement holds its connection until the limit, and cancelling it waits for the
 * silent server as well. The work itself may continue after the rejection, as after the loss of a connection.
 */
class CitusServers implements FirmServers {
  readonly pool: Pool;
  readonly isDistributed = true;
  readonly #guards = new Map<number, ServerGuard>();
  /** The ids of the servers by firm. */
  readonly #places = new Map<number, number>();
  #all: number[] = [];
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(pool: Pool) {
    this.pool = pool;
  }

  through(pool: Pool): FirmServers {
    return new CitusServers(pool);
  }

  async run<T>(firm: number | null, work: () => Promise<T>): Promise<T> {
    return firm === null ? work() : this.#guard(await this.#placeOf(firm)).run(work);
  }

  async readAll<Row extends object>({ name, text, values = [] }: AllFirmsRead): Promise<Row[]> {
    const read = async (statement: { name?: string; text: string }, ...more: unknown[]) =>
      (await this.pool.query<Row & Record<string, unknown>>({ ...statement, values: [...values, ...more] }))
        .rows;
    try {
      const readFromAll = () => read({ ...(name !== undefined && { name }), text: text(() => 'true') });
      const guarded = (await this.#servers()).reduce(
        (inner, server) => () => this.#guard(server).run(inner),
        readFromAll,
      );
      return await guarded();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
    const ofServer = text((column) => `${column} = any($${values.length + 1}::integer[])`);
    const parts = await Promise.allSettled(
      (await this.#firmsOfServers()).map(({ server, firms }) =>
        this.#guard(server).run(() => read({ text: ofServer }, firms)),
      ),
    );
    const answered = parts.filter((part) => part.status === 'fulfilled');
    if (answered.length === 0) throw parts.find((part) => part.status === 'rejected')!.reason;
    return answered.flatMap(({ value }) => value);
  }

  /** Returns the ids of the firms on each server. Jobs of no firm are stored under 0. */
  async #firmsOfServers(): Promise<{ server: number; firms: number[] }[]> {
    const { rows } = await this.pool.query<{ server: number; firms: number[] }>(
      `select n.nodeid as server, array_agg(f.id) as firms from (select id from workspaces union all select 0) as f
       join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('tickets', f.id)
       join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
       group by n.nodeid`,
    );
    return rows;
  }

  #guard(server: number): ServerGuard {
    const guard =
      this.#guards.get(server) ??
      new ServerGuard(server, Math.max(1, Math.floor(this.pool.options.max / 2)), (reject) =>
        this.#whileSilent(server, reject),
      );
    this.#guards.set(server, guard);
    return guard;
  }

  async #placeOf(firm: number): Promise<number> {
    this.#forgetOld();
    const place = this.#places.get(firm);
    if (place !== undefined) return place;
    const { rows } = await this.pool.query<{ id: number }>({
      name: 'server-of-firm',
      text: `
        select n.nodeid as id from pg_dist_placement p join pg_dist_node n using (groupid)
        where p.shardid = get_shard_id_for_distribution_column('tickets', $1::integer) and n.noderole = 'primary'`,
      values: [firm],
    });
    this.#places.set(firm, rows[0]!.id);
    return rows[0]!.id;
  }

  /** Returns the ids of all servers that have rows of firms. */
  async #servers(): Promise<readonly number[]> {
    this.#forgetOld();
    if (this.#all.length > 0) return this.#all;
    const { rows } = await this.pool.query<{ id: number }>(
      `select nodeid as id from pg_dist_node where shouldhaveshards and noderole = 'primary' order by nodeid`,
    );
    this.#all = rows.map(({ id }) => id);
    return this.#all;
  }

  #forgetOld(): void {
    const now = performance.now();
    if (now - this.#readAt < PLACES_MS) return;
    this.#readAt = now;
    this.#places.clear();
    this.#all = [];
  }

  /** Calls the function if the server is silent. Resolves when it answers. */
  async #whileSilent(server: number, onSilent: () => void): Promise<void> {
    for (let isSilent = false; !this.pool.ending; ) {
      const answers = await this.#answers(server).catch(() => null);
      if (answers === true || (answers === null && !isSilent)) return;
      if (!isSilent) onSilent();
      isSilent = true;
      await sleep(RECHECK_MS, undefined, { ref: false });
    }
  }

  /** Lets the coordinator open a connection to the server. Returns true for a server that is no longer part of the cluster. */
  async #answers(server: number): Promise<boolean> {
    // A session that has used the server would use its open connection to it, and wait without a limit.
    const client = new this.pool.options.Client!() as Client;
    try {
      await client.connect();
      const { rows } = await client.query<{ answers: boolean }>(CHECK, [server, String(ANSWER_MS)]);
      return rows[0]?.answers ?? true;
    } finally {
      void client.end().catch(() => {});
    }
  }
}
