import type { Cluster } from './cluster.ts';
import { stopServer } from './postmaster.ts';
import { remove } from './processes.ts';
import { joinRunning, type Session } from './session.ts';

/** A temporary server is stopped without a checkpoint and deleted with its data. */
export type Lifetime = 'persistent' | 'temporary';

/**
 * Stops the cluster's server if no process uses it. Returns whether it does not run any more.
 *
 * @param session the session of the process that leaves; it is closed
 */
export async function stopIfLast(
  cluster: Cluster,
  lifetime: Lifetime,
  session: Session | undefined,
  log: (message: string) => void,
): Promise<boolean> {
  const last = session?.isOpen() ? session : await joinRunning(cluster);
  try {
    if (last) {
      if (!(await last.isLast())) return false;
      log('Stopping PostgreSQL');
      await stopServer(cluster, lifetime === 'persistent' ? 'fast' : 'immediate');
    }
  } finally {
    await last?.end();
  }
  if (lifetime === 'temporary') await remove(cluster.dir);
  return true;
}
