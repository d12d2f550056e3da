import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { messageOf } from './launch-error.ts';
import { stopServer } from './postmaster.ts';
import { join, joinRunning, type Session } from './session.ts';

/** A running PostgreSQL server and this process's part in it. */
export interface Server {
  /** Superuser's URL of the database `postgres`. Changes only if the server had to come back on another port. */
  readonly url: string;
  /** Whether this call started the server, rather than finding it running. */
  readonly started: boolean;
  /** One sentence for the operator, where the database or its programs lie elsewhere than expected. */
  readonly note?: string;
  /** Ends this part, and the server when no other process uses it. Once; later calls wait for the first. */
  release(): Promise<void>;
}

const retryMs = 5_000;

/**
 * Joins the cluster's server, which runs or is started. PostgreSQL counts the users: each holds a session with a shared
 * advisory lock, and who gets the exclusive one is the last. A session that is lost is joined again, so a server that
 * died comes back.
 */
export async function useServer(
  cluster: Cluster,
  stopMode: 'fast' | 'immediate',
  log: (message: string) => void,
  afterLeaving: () => Promise<void> = async () => undefined,
): Promise<Server> {
  const leaving = new AbortController();
  const first = await join(cluster, log);
  let session: Session = first;
  let rejoining: Promise<void> | undefined;
  let left: Promise<void> | undefined;
  watch();

  function watch(): void {
    session.onEnd(() => {
      if (leaving.signal.aborted) return;
      log('The session with PostgreSQL was lost; joining again');
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
    await stopIfLast();
    await afterLeaving();
  }

  async function stopIfLast(): Promise<void> {
    const last = session.isOpen() ? session : await joinRunning(cluster);
    if (!last) return;
    try {
      if (await last.isLast()) {
        log('Stopping PostgreSQL');
        await stopServer(cluster, stopMode);
      }
    } finally {
      await last.end();
    }
  }

  return {
    get url() {
      return `postgres://postgres:${cluster.password}@127.0.0.1:${session.port}/postgres`;
    },
    started: first.started,
    ...(cluster.note !== undefined && { note: cluster.note }),
    release() {
      left ??= leave();
      return left;
    },
  };
}
