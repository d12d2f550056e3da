import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Cluster } from './cluster.ts';
import type { Lifetime } from './stop-if-last.ts';

const VARIABLE = 'FIRMDESK_POSTGRES_CLUSTER';
const STOP_SCRIPT = fileURLToPath(new URL('./stop-abandoned.ts', import.meta.url));
/** Ends at a line from its parent. At the end of the pipe, the parent has ended: then it becomes the given program. */
const WATCH = 'if read -r _; then exit 0; fi; exec "$@"';

interface Abandoned {
  cluster: Cluster;
  lifetime: Lifetime;
}

/** Ends the watch. The server may run on. */
export type Dismiss = () => void;

/**
 * Stops the cluster's server when this process ends without leaving it, also by SIGKILL. A shell waits for the end of a pipe that
 * only this process holds, in a session of its own, so that signals to the process group do not reach it. Not on Windows.
 */
export function watchParent(cluster: Cluster, lifetime: Lifetime): Dismiss {
  if (process.platform === 'win32') return () => undefined;
  const child = spawn('/bin/sh', ['-c', WATCH, 'sh', process.execPath, STOP_SCRIPT], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    // An environment variable, because arguments are visible to all users.
    env: { [VARIABLE]: JSON.stringify({ cluster, lifetime } satisfies Abandoned) },
  });
  // Without a shell the server is still stopped by every orderly end.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as { unref?(): void }).unref?.();
  return () => void child.stdin.end('\n');
}

/** Reads what {@link watchParent} has passed on to the program. */
export function readAbandoned(env: NodeJS.ProcessEnv): Abandoned {
  return JSON.parse(env[VARIABLE]!);
}
