/** How long a piece of work may hold up the event loop. */
const MAX_MS = 10;

/** Lets others use the event loop between the pieces of a longer work. */
export class LoopShare {
  #since = performance.now();

  /** Returns at once, until the work has gone on for 10 ms; then after whatever waits has had its turn. */
  async pause(): Promise<void> {
    if (performance.now() - this.#since < MAX_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
