import type { LogPosition } from './event-id.ts';

/** Events queued in memory per subscriber. A subscriber that falls further behind reads from the log. */
const QUEUE = 500;

/** An event as a subscription yields it: the same object for all subscribers of a process. A client resumes after its `id`. */
export interface StreamEvent extends Pick<LogPosition, 'position'> {
  id: string;
  type: string;
  body: object;
  /** What subscribers send of it, once it was made: one object for all of them. */
  sent?: unknown;
}

/** `behind`: the queue overflowed, and the log has the rest. `reset`: the log no longer contains what was delivered. */
export type Taken = StreamEvent[] | 'behind' | 'reset';

export type Deliver = (event: StreamEvent) => void;

/** The queue of one subscription. */
export class Subscriber {
  readonly isFor: (event: StreamEvent) => boolean;
  #events: StreamEvent[] = [];
  #state: 'behind' | 'reset' | null = null;
  #deliver: Deliver | null = null;
  #wake: (() => void) | null = null;

  /** @param isFor whether to queue an event */
  constructor(isFor: (event: StreamEvent) => boolean = () => true) {
    this.isFor = isFor;
  }

  push(event: StreamEvent): void {
    if (this.#state) return;
    if (this.#deliver) this.#deliver(event);
    else this.#enqueue(event);
  }

  #enqueue(event: StreamEvent): void {
    if (this.#events.length === QUEUE) {
      this.#state = 'behind';
      this.#events = [];
    } else this.#events.push(event);
    this.wake();
  }

  /** Discards the queue, and makes the subscription start again with `resync`. */
  reset(): void {
    this.#state = 'reset';
    this.#events = [];
    this.wake();
  }

  /** Returns the queued events and empties the queue. */
  take(): Taken {
    const taken = this.#state ?? this.#events;
    this.#events = [];
    this.#state = null;
    return taken;
  }

  /** Resolves when there is something to take, or when woken. */
  async wait(): Promise<void> {
    if (this.#events.length > 0 || this.#state) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  /**
   * Calls the function with each event instead of queueing it, until woken. Rejects with what the function throws. An event that
   * many viewers receive costs no promise for each of them.
   */
  async deliverTo(deliver: Deliver): Promise<void> {
    if (this.#state) return;
    for (const event of this.#events.splice(0)) deliver(event);
    await new Promise<void>((resolve, reject) => {
      this.#wake = resolve;
      this.#deliver = (event) => {
        try {
          deliver(event);
        } catch (error) {
          this.#deliver = null;
          reject(error);
        }
      };
    });
  }

  wake(): void {
    this.#deliver = null;
    this.#wake?.();
    this.#wake = null;
  }
}
