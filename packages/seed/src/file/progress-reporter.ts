import { performance } from 'node:perf_hooks';
import type { SeedList } from '../schema.ts';

/** How far an import is. */
export interface ImportProgress {
  phase: 'check' | 'write';
  list: SeedList;
  /** Records of the list that are done, and how many it has. */
  done: number;
  total: number;
  /** Records of the list that this run does in a second. */
  perSecond: number;
}

export type OnProgress = (progress: ImportProgress) => void;

/** Tells how fast the records of one list are being done. */
export class ProgressReporter {
  readonly #onProgress: OnProgress | undefined;
  #phase: ImportProgress['phase'] = 'check';
  #list: SeedList | null = null;
  #since = 0;
  #count = 0;

  constructor(onProgress: OnProgress | undefined) {
    this.#onProgress = onProgress;
  }

  /** Before records of a list are worked on. */
  start(phase: ImportProgress['phase'], list: SeedList): void {
    if (phase === this.#phase && list === this.#list) return;
    this.#phase = phase;
    this.#list = list;
    this.#since = performance.now();
    this.#count = 0;
  }

  /** After so many more of them, `done` of `total` in all. */
  advance(count: number, done: number, total: number): void {
    this.#count += count;
    const seconds = Math.max(0.001, (performance.now() - this.#since) / 1000);
    this.#onProgress?.({
      phase: this.#phase,
      list: this.#list!,
      done,
      total,
      perSecond: Math.round(this.#count / seconds),
    });
  }
}
