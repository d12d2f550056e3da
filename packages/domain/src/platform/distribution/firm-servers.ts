import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { DatabaseClient, type DatabaseClientConfig } from '../database/database-client.ts';
import { isDistributed } from './is-distributed.ts';
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
 * Runs work on the rows of one firm. On a distributed installation, the work of all firms of one server uses at most half of the pool's
 * connections, and rejects with a transient error when that server is silent: at most 5 seconds after it became silent, and at once from
 * then on. PostgreSQL's time limits do not achieve this: a statement holds its connection until the limit, and cancelling it waits for the
 * silent server as well. The work itself may continue after the rejection, as after the loss of a connection.
 */
export async function runForFirm<T>(pool: Pool, firm: number | null, work: () => Promise<T>): Promise<T> {
  if (firm === null || !(await isDistributed(pool))) return work();
  const servers = serversOf(pool);
  return servers.guard(await servers.placeOf(firm)).run(work);
}

/** Runs work on the rows of all firms, as {@link runForFirm}: it rejects if any server is silent. */
export async function runForAllFirms<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  if (!(await isDistributed(pool))) return work();
  const servers = serversOf(pool);
  const guarded = (await servers.all()).reduce(
    (inner, server) => () => servers.guard(server).run(inner),
    work,
  );
  return guarded();
}

/** Runs work on the rows of a server's firms, as {@link runForFirm}. */
export function runForServer<T>(pool: Pool, server: number, work: () => Promise<T>): Promise<T> {
  return serversOf(pool).guard(server).run(work);
}

const known = new WeakMap<Pool, FirmServers>();

function serversOf(pool: Pool): FirmServers {
  const servers = known.get(pool) ?? new FirmServers(pool);
  known.set(pool, servers);
  return servers;
}

/** The servers of a cluster as one pool reaches them through the coordinator. */
class FirmServers {
  readonly #pool: Pool;
  readonly #guards = new Map<number, ServerGuard>();
  /** The ids of the servers by firm. */
  readonly #places = new Map<number, number>();
  #all: number[] = [];
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  guard(server: number): ServerGuard {
    const guard =
      this.#guards.get(server) ??
      new ServerGuard(server, Math.max(1, Math.floor(this.#pool.options.max / 2)), (reject) =>
        this.#whileSilent(server, reject),
      );
    this.#guards.set(server, guard);
    return guard;
  }

  async placeOf(firm: number): Promise<number> {
    this.#forgetOld();
    const place = this.#places.get(firm);
    if (place !== undefined) return place;
    const { rows } = await this.#pool.query<{ id: number }>({
      name: 'server-of-firm',
      text: `
        select n.nodeid as id from pg_dist_placement p join pg_dist_node n using (groupid)
        where p.shardid = get_shard_id_for_distribution_column('tickets', $1::integer) and n.noderole = 'primary'`,
      values: [firm],
    });
    this.#places.set(firm, rows[0]!.id);
    return rows[0]!.id;
  }

  async all(): Promise<readonly number[]> {
    this.#forgetOld();
    if (this.#all.length > 0) return this.#all;
    const { rows } = await this.#pool.query<{ id: number }>(
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
    for (let isSilent = false; !this.#pool.ending; ) {
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
    const client = new DatabaseClient(this.#pool.options as unknown as DatabaseClientConfig);
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ answers: boolean }>(CHECK, [server, String(ANSWER_MS)]);
      return rows[0]?.answers ?? true;
    } finally {
      void client.end().catch(() => {});
    }
  }
}
