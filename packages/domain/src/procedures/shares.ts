import pLimit from 'p-limit';

/** The connections that each has, however many call. */
const LEAST = 2;

interface Part {
  limit: ReturnType<typeof pLimit>;
  /** The calls that run or wait. */
  calls: number;
}

/** Divides the connections of a process among those who call at the moment: accounts, or firms. The further calls of each wait. */
export class Shares {
  readonly #spare: number;
  readonly #parts = new Map<string, Part>();

  /** `spare`: the connections that they leave to others, as long as each has {@link LEAST}. */
  constructor(spare: number) {
    this.#spare = spare;
  }

  /** Returns how many calls of one wait. */
  waiting(key: string): number {
    return this.#parts.get(key)?.limit.pendingCount ?? 0;
  }

  async run<T>(key: string, connections: number, task: () => Promise<T>): Promise<T> {
    const known = this.#parts.get(key);
    const part = known ?? { limit: pLimit(1), calls: 0 };
    part.calls++;
    if (!known) {
      this.#parts.set(key, part);
      this.#divide(connections);
    }
    try {
      return await part.limit(task);
    } finally {
      part.calls--;
      if (part.calls === 0 && this.#parts.delete(key)) this.#divide(connections);
    }
  }

  #divide(connections: number): void {
    const share = this.#shareOf(connections);
    for (const { limit } of this.#parts.values()) if (limit.concurrency !== share) limit.concurrency = share;
  }

  #shareOf(connections: number): number {
    const half = Math.max(1, Math.floor(connections / 2));
    const free = connections - this.#spare;
    const count = this.#parts.size;
    return count > 1 ? Math.min(half, Math.max(LEAST, Math.floor(free / count))) : Math.max(half, free);
  }
}
