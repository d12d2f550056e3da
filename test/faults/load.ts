import { setTimeout } from 'node:timers/promises';
import { Client, Tally } from './client.ts';
import type { Ledger } from './ledger.ts';
import type { LoadFixtures } from './load-fixtures.ts';
import type { Random } from './random.ts';
import { Viewer } from './viewers.ts';
import { type Act, writersOf } from './writers.ts';

/** Writers, each of one kind of write, and viewers. */
export interface Load extends Disposable {
  viewers: Viewer[];
  /** Returns the errors of clients since the last call. */
  takeTally(): Tally;
  /** Resolves when each kind of write was acknowledged and each viewer has received an event. */
  hasBegun(): Promise<void>;
  /** Returns when writes of every kind that started after the given time were acknowledged, by `performance.now()`. */
  workedSince(moment: number): Promise<number>;
  /** Resolves when the current writes are acknowledged. */
  pause(): Promise<void>;
  resume(): void;
}

interface LoadOptions {
  urls: readonly string[];
  fixtures: LoadFixtures;
  ledger: Ledger;
  random: Random;
}

/** Writes until it is stopped. */
export function startLoad({ urls, fixtures, ledger, random }: LoadOptions): Load {
  let tally = new Tally();
  const viewers = fixtures.commandTickets.map(
    (ticket) => new Viewer({ urls, token: fixtures.agent, ticket }),
  );
  const loops = writersOf(fixtures, ledger, random).map(
    ({ maxPauseMs, act }, n) => new Loop(new Client(urls, n, () => tally), random, maxPauseMs, act),
  );
  const load: Load = {
    viewers,
    takeTally() {
      const taken = tally;
      tally = new Tally();
      return taken;
    },
    async hasBegun() {
      await load.workedSince(performance.now());
      while (!viewers.every((viewer) => viewer.hasBegun)) await setTimeout(50);
    },
    workedSince: async (moment) =>
      Math.max(...(await Promise.all(loops.map((loop) => loop.workedSince(moment))))),
    pause: async () => void (await Promise.all(loops.map((loop) => loop.pause()))),
    resume() {
      for (const loop of loops) loop.resume();
    },
    [Symbol.dispose]() {
      for (const viewer of viewers) viewer[Symbol.dispose]();
    },
  };
  load.resume();
  return load;
}

/** A writer that pauses between writes. */
class Loop {
  readonly #client: Client;
  readonly #random: Random;
  readonly #maxPauseMs: number;
  readonly #act: Act;
  #running: Promise<void> | null = null;
  #isPaused = true;
  /** Start and end of the last acknowledged write. */
  #worked: { from: number; to: number } = { from: 0, to: 0 };

  constructor(client: Client, random: Random, maxPauseMs: number, act: Act) {
    this.#client = client;
    this.#maxPauseMs = maxPauseMs;
    this.#random = random;
    this.#act = act;
  }

  resume(): void {
    this.#isPaused = false;
    this.#running ??= this.#run();
  }

  async pause(): Promise<void> {
    this.#isPaused = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isPaused) {
      const from = performance.now();
      if (await this.#act(this.#client)) this.#worked = { from, to: performance.now() };
      await setTimeout(this.#random.between(0, this.#maxPauseMs));
    }
    this.#running = null;
  }

  async workedSince(moment: number): Promise<number> {
    while (this.#worked.from < moment) await setTimeout(20);
    return this.#worked.to;
  }
}
