/** How long a task may block the event loop. */
const MAX_MS = 10;

/** Yields the event loop between the steps of a long task. */
export class LoopYielder {
  #since = performance.now();

  /** Whether 10 ms have passed since the last yield. A loop of many short steps asks this first, because each `await` takes as long as such a step. */
  get isDue(): boolean {
    return performance.now() - this.#since >= MAX_MS;
  }

  /** Yields if it is due; otherwise returns immediately. */
  async yieldIfDue(): Promise<void> {
    if (!this.isDue) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
