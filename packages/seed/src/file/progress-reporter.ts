import { performance } from 'node:perf_hooks';
import type { SeedList } from '../schema.ts';

/** The progress of an import. */
export interface ImportProgress {
  phase: 'check' | 'write';
  list: SeedList;
  /** Processed and total records of the list. */
  done: number;
  total: number;
  /** Records of the list per second, in this run. */
  perSecond: number;
}

export type OnProgress = (progress: ImportProgress) => void;

/** Reports the progress and speed of one list after another. */
export class ProgressReporter {
  readonly #onProgress: OnProgress | undefined;
  #phase: ImportProgress['phase'] = 'check';
  #list: SeedList | null = null;
  #since = 0;
  #count = 0;

  constructor(onProgress: OnProgress | undefined) {
    this.#onProgress = onProgress;
  }

  /** Call before processing records of a list. */
  start(phase: ImportProgress['phase'], list: SeedList): void {
    if (phase === this.#phase && list === this.#list) return;
    this.#phase = phase;
    this.#list = list;
    this.#since = performance.now();
    this.#count = 0;
  }

  /** Call after `count` more records; `done` of `total` are then processed. */
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
