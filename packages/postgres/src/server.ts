import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { messageOf } from './launch-error.ts';
import { watchParent } from './parent-watch.ts';
import { canHaveSocket } from './postmaster.ts';
import { join, type Session } from './session.ts';
import { type Lifetime, stopIfLast } from './stop-if-last.ts';

/** A running PostgreSQL server that this process uses. */
export interface Server {
  /** The superuser's URL of the database `postgres`. Changes only if the server restarts on another port. */
  readonly url: string;
  /**
   * The same through the server's Unix socket, which takes less processor time than TCP. Equal to `url` if the server has no socket: on
   * Windows, and if the path of its folder is too long or has a comma, or the file system has no sockets.
   */
  readonly socketUrl: string;
  /** Whether this call started the server. */
  readonly started: boolean;
  /** A note for the operator if the database or its programs are not in the expected place. */
  readonly note?: string;
  /** Stops using the server, and stops it if no other process uses it. Later calls wait for the first. */
  release(): Promise<void>;
}

const retryMs = 5_000;

/**
 * Joins the cluster's server, and starts it if it does not run. Each process that uses it holds a session with a shared
 * advisory lock; a process that gets the exclusive lock is the last one. A lost session is opened again, so a server that has
 * died is restarted. The server does not outlive its last user, however that process ends.
 */
export async function useServer(
  cluster: Cluster,
  lifetime: Lifetime,
  log: (message: string) => void,
): Promise<Server> {
  const leaving = new AbortController();
  const dismiss = watchParent(cluster, lifetime);
  const first = await join(cluster, log).catch((error: unknown) => {
    dismiss();
    throw error;
  });
  let session: Session = first;
  let rejoining: Promise<void> | undefined;
  let left: Promise<void> | undefined;
  watch();

  function watch(): void {
    session.onEnd(() => {
      if (leaving.signal.aborted) return;
      log('The session with PostgreSQL was lost; reconnecting');
      rejoining = rejoin();
    });
  }

  async function rejoin(): Promise<void> {
    while (!leaving.signal.aborted) {
      try {
        session = await join(cluster, log, leaving.signal);
        watch();
        return;
      } catch (error) {
        if (leaving.signal.aborted) return;
        log(messageOf(error));
        await sleep(retryMs, undefined, { signal: leaving.signal, ref: false }).catch(() => undefined);
      }
    }
  }

  async function leave(): Promise<void> {
    leaving.abort();
    await rejoining;
    await stopIfLast(cluster, lifetime, session, log);
    dismiss();
  }

  const url = () => `postgres://postgres:${cluster.password}@127.0.0.1:${session.port}/postgres`;
  return {
    get url() {
      return url();
    },
    get socketUrl() {
      const isReachable = session.hasSocket && canHaveSocket(cluster.dir);
      return isReachable ? `${url()}?host=${encodeURIComponent(cluster.dir)}` : url();
    },
    started: first.started,
    ...(cluster.note !== undefined && { note: cluster.note }),
    release() {
      left ??= leave();
      return left;
    },
  };
}
