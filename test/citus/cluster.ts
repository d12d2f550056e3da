import type { Services } from '@firmdesk/domain';
import { createWorkspace } from '@firmdesk/testing';
import type { TestGateway } from '@firmdesk/testing/gateway';
import { createTicketFixture, type TicketFixture } from '@firmdesk/testing/gateway';

/** A server of the cluster, as the coordinator of a test's database knows it. */
export interface ClusterServer {
  id: number;
  host: string;
  port: number;
}

/** Returns the servers that have rows. */
export async function serversOf({ services }: { services: Services }): Promise<ClusterServer[]> {
  const { rows } = await services.pool.query<ClusterServer>(
    `select nodeid as id, nodename as host, nodeport as port from pg_dist_node where shouldhaveshards order by nodeid`,
  );
  return rows;
}

/** Returns the server and the shard of a firm's tickets. */
export async function placeOf(
  { services }: { services: Services },
  firmId: number,
): Promise<{ server: number; shard: string }> {
  const { rows } = await services.pool.query<{ server: number; shard: string }>(
    `select n.nodeid as server, p.shardid as shard
     from pg_dist_placement p join pg_dist_node n using (groupid)
     where p.shardid = get_shard_id_for_distribution_column('tickets', $1::integer)`,
    [firmId],
  );
  return rows[0]!;
}

/** Creates a firm whose rows are on the server. */
export async function createWorkspaceOn(services: Services, server: ClusterServer) {
  for (;;) {
    const firm = await createWorkspace(services);
    if ((await placeOf({ services }, firm.id)).server === server.id) return firm;
  }
}

/** Creates a firm with a team and a trader whose rows are on the server. */
export async function createFirmOn(gateway: TestGateway, server: ClusterServer): Promise<TicketFixture> {
  for (;;) {
    const fixture = await createTicketFixture(gateway);
    if ((await placeOf(gateway, fixture.firm.id)).server === server.id) return fixture;
  }
}
