import { asFirmdeskError, newIdempotencyKey } from '@firmdesk/client';
import { useSyncExternalStore } from 'react';
import { firm } from '../session/firm.ts';
import { type StoredValue, storedValue } from '../stored-value.ts';
import { type NewEntry, type OutboxEntry, parseEntries, subjectOf } from './entries.ts';

/** Sends an entry, and handles its result. */
export interface Courier {
  send(entry: OutboxEntry): Promise<unknown>;
  /** Called before the entry is removed. */
  onSaved(entry: OutboxEntry, result: unknown): Promise<void> | void;
  onRejected(entry: OutboxEntry, error: unknown): void;
  isSignedOut(error: unknown): boolean;
}

/** The service forgets idempotency keys after 72 hours. */
const MAX_AGE_MS = 71 * 3_600_000;
const RETRY_MS = { first: 2_000, most: 30_000 };

/**
 * What the user has changed or written and the service has not confirmed, oldest first. It is stored in the browser, sent in
 * order for each subject, and sent again when the line is back, each entry with its one idempotency key.
 */
class Outbox {
  readonly #stored: StoredValue<readonly OutboxEntry[]>;
  readonly userId: string;
  readonly #courier: Courier;
  readonly #sending = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #isStalled = !navigator.onLine;
  #retryMs = RETRY_MS.first;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(userId: string, courier: Courier) {
    this.userId = userId;
    this.#stored = storedValue(`outbox.${firm}.${userId}`, parseEntries);
    this.#courier = courier;
    addEventListener('online', () => this.flush());
    addEventListener('offline', () => this.#setStalled(true));
    this.#expire();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const stop = this.#stored.subscribe(listener);
    this.#listeners.add(listener);
    return () => {
      stop();
      this.#listeners.delete(listener);
    };
  };

  readonly entries = (): readonly OutboxEntry[] => this.#stored.get();

  /** Whether entries wait for the line, as opposed to being sent. */
  readonly isStalled = (): boolean => this.#isStalled;

  /** Returns the key of the entry. */
  add(entry: NewEntry): string {
    const added = { key: newIdempotencyKey(), ...entry, addedAt: Date.now(), isTried: false } as OutboxEntry;
    this.#stored.set([...this.entries(), added]);
    this.#sendNext(subjectOf(entry));
    return added.key;
  }

  /** Removes and returns an entry, unless it is being sent or was sent. */
  take(key: string): OutboxEntry | null {
    if (this.#sending.has(key)) return null;
    const entry = this.entries().find((each) => each.key === key) ?? null;
    if (!entry) return null;
    this.#remove(key);
    return entry;
  }

  /** Sends all entries, now that the line may be back. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#setStalled(!navigator.onLine);
    for (const subject of new Set(this.entries().map(subjectOf))) this.#sendNext(subject);
  }

  /** Resolves when nothing is being sent. */
  async settled(): Promise<void> {
    while (this.#sending.size > 0) await new Promise<void>((resolve) => this.#onceChanged(resolve));
  }

  #onceChanged(run: () => void): void {
    const stop = this.subscribe(() => {
      stop();
      run();
    });
  }

  #sendNext(subject: string): void {
    const entry = this.entries().find((each) => subjectOf(each) === subject);
    if (!entry || this.#isStalled || this.#sending.has(entry.key)) return;
    const wait = (entry.notBefore ?? 0) - Date.now();
    if (wait > 0) {
      setTimeout(() => this.#sendNext(subject), wait);
      return;
    }
    this.#sending.add(entry.key);
    void this.#inOneTab(entry.key, () => this.#send(entry)).then((isDone) => {
      this.#sending.delete(entry.key);
      this.#changed();
      if (isDone) this.#sendNext(subject);
    });
  }

  /** Returns whether the next entry of the subject may be sent. */
  async #send(entry: OutboxEntry): Promise<boolean> {
    // Another tab may have sent it.
    if (!this.entries().some(({ key }) => key === entry.key)) return true;
    try {
      const result = await this.#courier.send(entry);
      this.#retryMs = RETRY_MS.first;
      await this.#courier.onSaved(entry, result);
      this.#remove(entry.key);
      return true;
    } catch (error) {
      if (!this.#mayArriveLater(error)) {
        this.#remove(entry.key);
        this.#courier.onRejected(entry, error);
        return true;
      }
      this.#stored.set(
        this.entries().map((each) => (each.key === entry.key ? { ...each, isTried: true } : each)),
      );
      this.#setStalled(true);
      if (!this.#courier.isSignedOut(error)) this.#retryLater();
      return false;
    }
  }

  #mayArriveLater(error: unknown): boolean {
    const { status, code } = asFirmdeskError(error);
    return (
      status === null ||
      status >= 500 ||
      status === 429 ||
      code === 'idempotency_key_in_use' ||
      this.#courier.isSignedOut(error)
    );
  }

  #retryLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS.most);
  }

  /** Runs a function unless another tab runs it for the same key. Locks need HTTPS; without them the key alone protects. */
  async #inOneTab(key: string, run: () => Promise<boolean>): Promise<boolean> {
    if (!('locks' in navigator)) return run();
    return navigator.locks.request(`firmdesk.outbox.${key}`, { ifAvailable: true }, (lock) =>
      lock ? run() : false,
    );
  }

  /** Rejects entries whose idempotency keys the service has forgotten: they could be stored twice. */
  #expire(): void {
    const expired = this.entries().filter(({ addedAt }) => Date.now() - addedAt > MAX_AGE_MS);
    for (const entry of expired) {
      this.#remove(entry.key);
      this.#courier.onRejected(entry, new Error('It was not sent within three days.'));
    }
  }

  #remove(key: string): void {
    this.#stored.set(this.entries().filter((entry) => entry.key !== key));
  }

  #setStalled(isStalled: boolean): void {
    if (this.#isStalled === isStalled) return;
    this.#isStalled = isStalled;
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

let opened: Outbox | null = null;

/** Opens the outbox of the page's account, and sends what earlier pages have left in it. */
export function openOutbox(userId: string, courier: Courier): void {
  if (opened) return;
  opened = new Outbox(userId, courier);
  opened.flush();
}

/** The outbox. A page of the firm opens it before it shows anything. */
export function outbox(): Outbox {
  if (!opened) throw new Error('The outbox is not open.');
  return opened;
}

/** Resolves when nothing is being sent, also on a page without an outbox. */
export async function outboxSettled(): Promise<void> {
  await opened?.settled();
}

/** Returns the unconfirmed changes and messages. */
export function useUnsaved(): readonly OutboxEntry[] {
  return useSyncExternalStore(outbox().subscribe, outbox().entries);
}

/** Returns whether unconfirmed changes and messages wait for the line. */
export function useIsStalled(): boolean {
  return useSyncExternalStore(outbox().subscribe, outbox().isStalled);
}
