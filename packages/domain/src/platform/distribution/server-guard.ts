import { limitTasks } from '../process/task-limit.ts';

const TICK_MS = 500;
/** After this time, and as often, the server of unfinished work is asked whether it answers. */
const SUSPECT_MS = 1_000;
/** How long work waits for a permit, as for a connection of a pool. */
const WAIT_MS = 5_000;

/** Work on a server cannot be done now. Temporary. */
class ServerUnavailableError extends Error {
  override name = 'ServerUnavailableError';
  /** SQLSTATE of a lost connection. */
  readonly code = '08006';
}

interface Work {
  since: number;
  isWaiting: boolean;
  reject(error: Error): void;
}

/** Bounds how much work waits for one server of a cluster, and for how long if the server is silent. */
export class ServerGuard {
  readonly #server: number;
  readonly #limited: ReturnType<typeof limitTasks>;
  readonly #whileSilent: (onSilent: () => void) => Promise<void>;
  /** The work that has neither ended nor been rejected, oldest first. */
  readonly #unfinished = new Set<Work>();
  #timer: NodeJS.Timeout | null = null;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #isChecking = false;
  #isSilent = false;

  /**
   * @param limit how much work runs concurrently
   * @param whileSilent calls its argument if the server is silent, and resolves when the server answers
   */
  constructor(server: number, limit: number, whileSilent: (onSilent: () => void) => Promise<void>) {
    this.#server = server;
    this.#limited = limitTasks(limit);
    this.#whileSilent = whileSilent;
  }

  /** Runs the work when a permit is free. Rejects when the server is found silent; the work may continue then, and keeps its permit. */
  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isSilent) return Promise.reject(this.#silent());
    return new Promise((resolve, reject) => {
      const entry: Work = { since: performance.now(), isWaiting: true, reject };
      this.#unfinished.add(entry);
      this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
      this.#limited(async () => {
        if (!this.#unfinished.has(entry)) return;
        entry.isWaiting = false;
        await work().then(resolve, reject);
      })
        .catch(reject)
        .finally(() => this.#unfinished.delete(entry));
    });
  }

  #tick(): void {
    const now = performance.now();
    for (const work of this.#unfinished) {
      const ms = now - work.since;
      if (ms < SUSPECT_MS) break;
      void this.#check();
      if (work.isWaiting && ms > WAIT_MS) this.#reject(work, this.#busy());
    }
    if (this.#unfinished.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  async #check(): Promise<void> {
    if (this.#isChecking || performance.now() - this.#checkedAt < SUSPECT_MS) return;
    this.#isChecking = true;
    await this.#whileSilent(() => {
      this.#isSilent = true;
      for (const work of this.#unfinished) this.#reject(work, this.#silent());
    });
    this.#isSilent = false;
    this.#isChecking = false;
    this.#checkedAt = performance.now();
  }

  #reject(work: Work, error: Error): void {
    this.#unfinished.delete(work);
    work.reject(error);
  }

  #silent(): Error {
    return new ServerUnavailableError(`The server ${this.#server} of pg_dist_node does not answer.`);
  }

  #busy(): Error {
    return new ServerUnavailableError(
      `The work for the server ${this.#server} of pg_dist_node uses its share of the connections.`,
    );
  }
}
