import { asFirmdeskError, newIdempotencyKey } from '@firmdesk/client';
import { useSyncExternalStore } from 'react';
import { firm } from '../session/firm.ts';
import { type StoredValue, storedValue } from '../stored-value.ts';
import { type NewEntry, type OutboxEntry, parseEntries, subjectOf } from './entries.ts';

/** Sends an entry, and handles its result. */
export interface OutboxSender {
  send(entry: OutboxEntry): Promise<unknown>;
  /** Called before the entry is removed. */
  onSaved(entry: OutboxEntry, result: unknown): Promise<void> | void;
  onRejected(entry: OutboxEntry, error: unknown): void;
  isSignedOut(error: unknown): boolean;
}

/** The service forgets idempotency keys after 72 hours. */
const MAX_AGE_MS = 71 * 3_600_000;
/** The tab in which an entry was added has this long to begin sending it, so that it shows the result. */
const OTHER_TABS_WAIT_MS = 2_000;
const RETRY_MS = { first: 2_000, most: 30_000 };

/**
 * What the user has changed or written and the service has not confirmed, oldest first. It is stored in the browser, sent in
 * order for each subject, and sent again when the line is back, each entry with its one idempotency key. Every open tab sends what is
 * stored: one sends an entry, the others wait until it has, and send the entry themselves if that tab is closed before.
 */
class Outbox {
  readonly #stored: StoredValue<readonly OutboxEntry[]>;
  readonly userId: string;
  readonly #sender: OutboxSender;
  /** The keys of the entries that were added in this tab. */
  readonly #own = new Set<string>();
  /** The entries that are being sent, here or in another tab. */
  readonly #sending = new Set<string>();
  /** Those of them that are not left to another tab. */
  readonly #sentHere = new Set<string>();
  /** The timers of the subjects whose next entry may not be sent yet. */
  readonly #waiting = new Map<string, ReturnType<typeof setTimeout>>();
  /** Called with the result of an entry, by its key. */
  readonly #awaited = new Map<string, (isSaved: boolean) => void>();
  readonly #listeners = new Set<() => void>();
  #isStalled = !navigator.onLine;
  #retryMs = RETRY_MS.first;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(userId: string, sender: OutboxSender) {
    this.userId = userId;
    this.#stored = storedValue(`outbox.${firm}.${userId}`, parseEntries);
    this.#sender = sender;
    addEventListener('online', () => this.flush());
    addEventListener('offline', () => this.#setStalled(true));
    this.#expire();
    // Without locks, several tabs would send each entry at the same time.
    if (hasLocks) this.#stored.subscribe(() => this.#sendAll());
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
    this.#own.add(added.key);
    this.#stored.set([...this.#stored.fresh(), added]);
    this.#sendNext(subjectOf(entry));
    return added.key;
  }

  /** Removes and returns an entry, unless it is being sent or was sent. */
  take(key: string): Promise<OutboxEntry | null> {
    return this.#takeIf(key, () => true);
  }

  /** Removes an entry that the service cannot have received. Returns whether it did. */
  async drop(key: string): Promise<boolean> {
    return (await this.#takeIf(key, ({ isTried }) => !isTried)) !== null;
  }

  async #takeIf(key: string, isTaken: (entry: OutboxEntry) => boolean): Promise<OutboxEntry | null> {
    if (this.#sending.has(key)) return null;
    return inOneTab(key, { ifAvailable: true }, (isFree) => {
      const entry = this.#stored.fresh().find((each) => each.key === key);
      if (!isFree || !entry || !isTaken(entry)) return null;
      this.#remove(key);
      return entry;
    });
  }

  /** Resolves when an entry was saved or rejected. Null if it waits for the line, or another tab sends it. */
  async confirmed(key: string): Promise<boolean | null> {
    const { promise, resolve } = Promise.withResolvers<boolean | null>();
    const check = () => {
      if (this.#isStalled || !this.entries().some((entry) => entry.key === key)) resolve(null);
    };
    this.#awaited.set(key, resolve);
    const stop = this.subscribe(check);
    check();
    const result = await promise;
    stop();
    this.#awaited.delete(key);
    return result;
  }

  /** Sends all entries, now that the line may be back. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#setStalled(!navigator.onLine);
    this.#sendAll();
  }

  #sendAll(): void {
    for (const subject of new Set(this.entries().map(subjectOf))) this.#sendNext(subject);
  }

  /** Resolves when this tab sends nothing. What another tab sends does not end with this one. */
  async settled(): Promise<void> {
    while (this.#sentHere.size > 0) await new Promise<void>((resolve) => this.#onceChanged(resolve));
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
    clearTimeout(this.#waiting.get(subject));
    const wait = this.#sendableAt(entry) - Date.now();
    if (wait > 0) {
      this.#waiting.set(
        subject,
        setTimeout(() => this.#sendNext(subject), wait),
      );
      return;
    }
    this.#sending.add(entry.key);
    // Its own tab is the first to send it.
    if (this.#own.has(entry.key)) this.#sentHere.add(entry.key);
    void inOneTab(entry.key, {}, () => {
      this.#sentHere.add(entry.key);
      return this.#send(entry.key);
    }).then((isDone) => {
      this.#sending.delete(entry.key);
      this.#sentHere.delete(entry.key);
      this.#changed();
      if (isDone) this.#sendNext(subject);
    });
  }

  /** Returns when this tab may send an entry, in milliseconds since the epoch. */
  #sendableAt({ key, addedAt, notBefore = 0 }: OutboxEntry): number {
    // The clock may have been set back since.
    if (this.#own.has(key) || addedAt > Date.now()) return notBefore;
    return Math.max(notBefore, addedAt) + OTHER_TABS_WAIT_MS;
  }

  /** Returns whether the next entry of the subject may be sent. */
  async #send(key: string): Promise<boolean> {
    // Another tab may have sent it, or this one may be offline by now.
    const entry = this.#stored.fresh().find((each) => each.key === key);
    if (!entry) return true;
    if (this.#isStalled) return false;
    try {
      const result = await this.#sender.send(entry);
      this.#retryMs = RETRY_MS.first;
      await this.#sender.onSaved(entry, result);
      this.#awaited.get(key)?.(true);
      this.#remove(key);
      return true;
    } catch (error) {
      if (!this.#mayArriveLater(error)) {
        const dropped = this.#stored.fresh().filter((each) => each.key === key || each.undoes === key);
        for (const each of dropped) this.#awaited.get(each.key)?.(false);
        this.#remove(...dropped.map((each) => each.key));
        this.#sender.onRejected(entry, error);
        return true;
      }
      this.#setStalled(true);
      this.#stored.set(
        this.#stored.fresh().map((each) => (each.key === key ? { ...each, isTried: true } : each)),
      );
      if (!this.#sender.isSignedOut(error)) this.#retryLater();
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
      this.#sender.isSignedOut(error)
    );
  }

  #retryLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS.most);
  }

  /** Rejects entries whose idempotency keys the service has forgotten: they could be stored twice. */
  #expire(): void {
    const expired = this.entries().filter(({ addedAt }) => Date.now() - addedAt > MAX_AGE_MS);
    for (const entry of expired) {
      this.#remove(entry.key);
      this.#sender.onRejected(entry, new Error('It was not sent within three days.'));
    }
  }

  #remove(...keys: string[]): void {
    this.#stored.set(this.#stored.fresh().filter(({ key }) => !keys.includes(key)));
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

/** Locks need HTTPS. Without them, only the idempotency key prevents that two tabs store an entry twice. */
const hasLocks = 'locks' in navigator;

/** Runs a function while no other tab sends the entry. `isFree` is false if it does not wait and another tab does. */
async function inOneTab<Result>(
  key: string,
  options: LockOptions,
  run: (isFree: boolean) => Result,
): Promise<Awaited<Result>> {
  if (!hasLocks) return await run(true);
  return await navigator.locks.request(`firmdesk.outbox.${key}`, options, (lock) => run(lock !== null));
}

let opened: Outbox | null = null;

/** Opens the outbox of the page's account, and sends what earlier pages have left in it. */
export function openOutbox(userId: string, sender: OutboxSender): void {
  if (opened) return;
  opened = new Outbox(userId, sender);
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
