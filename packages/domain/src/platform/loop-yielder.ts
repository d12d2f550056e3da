/** How long a task may block the event loop. */
const MAX_MS = 10;

/** Yields the event loop between the steps of a long task. */
export class LoopYielder {
  #since = performance.now();

  /** Yields when 10 ms have passed since the last yield; otherwise returns immediately. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#since < MAX_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
