import { randomUUID } from 'node:crypto';
import type { Signals } from '../events/signals/signals.ts';
import { encodeAttendances, parseAnnouncement } from './announcement.ts';
import { type Attendance, bounded, changedSubjects, type SubjectPresence } from './attendance.ts';

/** The kind of the signals by which processes tell each other who attends. See {@link Presence}. */
const PRESENCE = 'presence';

export interface PresenceTimes {
  /** Changes within this time are announced together. */
  joinMs: number;
  /** The interval at which a process with attendances says that it is alive. */
  aliveMs: number;
  /** A process that was silent for this time has ended: its attendances are dropped. */
  lostMs: number;
}

const TIMES: PresenceTimes = { joinMs: 50, aliveMs: 3_000, lostMs: 7_500 };
/** With each of these signs of life a process announces everything again, in case a signal was lost. */
const ALIVE_PER_REPEAT = 10;

/** A change of who attends: one object for all listeners. */
export interface PresenceChange {
  subjects: SubjectPresence[];
  /** What the listeners send of it, once it was made. */
  sent?: unknown;
}

type Listener = (change: PresenceChange) => void;

/** What one process has announced of a firm. */
type Announced = Map<string, Attendance[]>;

interface Followed {
  listeners: Set<Listener>;
  /** By process, and part of its announcement. */
  announced: Map<string, Announced>;
  /** What the listeners know. */
  known: Map<string, SubjectPresence>;
}

/**
 * Who attends to what in a firm, in all processes: only in memory. Each process announces the attendances of its own sockets by
 * signals when they change, and says every few seconds that it is alive. A process keeps what others announce of the firms that it has
 * followers of. Without attendances and followers there is no timer and no signal.
 */
export class Presence {
  readonly #signals: Signals;
  readonly #times: PresenceTimes;
  readonly #process = randomUUID().slice(0, 8);
  readonly #own = new Map<number, Set<Attendance>>();
  readonly #followed = new Map<number, Followed>();
  /** When each other process last gave a sign of life, in milliseconds of `performance.now`. */
  readonly #alive = new Map<string, number>();
  /** The firms whose own attendances have changed since they were announced. */
  readonly #changed = new Set<number>();
  #announcing: NodeJS.Timeout | null = null;
  #heartbeat: NodeJS.Timeout | null = null;
  #beats = 0;
  #session = 0;
  #stopListening: (() => void) | null = null;

  constructor(signals: Signals, times: PresenceTimes = TIMES) {
    this.#signals = signals;
    this.#times = times;
  }

  /** Announces an attendance until the returned function is called. */
  attend(workspaceId: number, attendance: Attendance): () => void {
    const own = this.#own.get(workspaceId) ?? new Set();
    this.#own.set(workspaceId, own.add(attendance));
    this.#change(workspaceId);
    return () => {
      if (!own.delete(attendance)) return;
      if (own.size === 0 && this.#own.get(workspaceId) === own) this.#own.delete(workspaceId);
      this.#change(workspaceId);
    };
  }

  /** Returns who attends in a firm, and calls the listener with each subject that changes, until `stop` is called. */
  follow(workspaceId: number, listener: Listener): { current: SubjectPresence[]; stop: () => void } {
    let followed = this.#followed.get(workspaceId);
    if (!followed) {
      followed = { listeners: new Set(), announced: new Map(), known: new Map() };
      this.#followed.set(workspaceId, followed);
      this.#listen();
      this.#showOwn(workspaceId);
      this.#signals.send(PRESENCE, `ask:${this.#process}:${workspaceId}`);
    }
    const { listeners, known } = followed;
    listeners.add(listener);
    return {
      current: [...known.values()],
      stop: () => {
        listeners.delete(listener);
        if (listeners.size > 0 || this.#followed.get(workspaceId)?.listeners !== listeners) return;
        this.#followed.delete(workspaceId);
        this.#rest();
      },
    };
  }

  /** Whether nobody attends or follows, so that it has no timer. */
  get isIdle(): boolean {
    return this.#heartbeat === null && this.#announcing === null && this.#stopListening === null;
  }

  close(): void {
    this.#own.clear();
    this.#followed.clear();
    if (this.#announcing) clearTimeout(this.#announcing);
    this.#announcing = null;
    this.#changed.clear();
    this.#rest();
  }

  #change(workspaceId: number): void {
    this.#showOwn(workspaceId);
    this.#changed.add(workspaceId);
    this.#announcing ??= setTimeout(() => this.#announceChanges(), this.#times.joinMs).unref();
    if (this.#own.size === 0) return;
    this.#listen();
    this.#heartbeat ??= setInterval(() => this.#beat(), this.#times.aliveMs).unref();
  }

  #announceChanges(): void {
    this.#announcing = null;
    for (const workspaceId of this.#changed) this.#announce(workspaceId);
    this.#changed.clear();
    this.#rest();
  }

  #announce(workspaceId: number): void {
    const parts = encodeAttendances(bounded(this.#own.get(workspaceId) ?? []));
    for (const [index, part] of parts.entries())
      this.#signals.send(PRESENCE, `are:${this.#process}:${workspaceId}:${index}:${parts.length}:${part}`);
  }

  #beat(): void {
    this.#beats++;
    if (this.#beats % ALIVE_PER_REPEAT === 0) this.#announceAll();
    else this.#signals.send(PRESENCE, `live:${this.#process}`);
  }

  #announceAll(): void {
    for (const workspaceId of this.#own.keys()) this.#announce(workspaceId);
  }

  #listen(): void {
    this.#stopListening ??= this.#signals.on(PRESENCE, (signal) => {
      if (signal === null) this.#sweep();
      else this.#receive(signal);
    });
  }

  /** Stops what nobody needs. */
  #rest(): void {
    if (this.#own.size > 0) return;
    if (this.#heartbeat) clearInterval(this.#heartbeat);
    this.#heartbeat = null;
    if (this.#followed.size > 0) return;
    this.#stopListening?.();
    this.#stopListening = null;
    this.#alive.clear();
  }

  #receive(signal: string): void {
    const [kind, process = ''] = signal.split(':', 2);
    if (process === this.#process) return;
    if (kind === 'ask') {
      const workspaceId = Number(signal.split(':', 3)[2]);
      if (this.#own.has(workspaceId)) this.#announce(workspaceId);
      return;
    }
    if (this.#alive.has(process) || kind === 'are') this.#alive.set(process, performance.now());
    if (kind !== 'are') return;
    const announcement = parseAnnouncement(signal);
    const followed = announcement && this.#followed.get(announcement.workspaceId);
    if (!followed) return;
    const { index, parts, attendances } = announcement;
    for (const key of followed.announced.keys()) {
      const [from, part] = key.split('/');
      if (from === process && Number(part) >= parts) followed.announced.delete(key);
    }
    followed.announced.set(`${process}/${index}`, bySubject(attendances));
    this.#publish(followed);
  }

  /** Called every second, and when signals may have been missed. Drops processes that have ended. */
  #sweep(): void {
    if (this.#signals.session !== this.#session) {
      this.#session = this.#signals.session;
      this.#announceAll();
      for (const workspaceId of this.#followed.keys())
        this.#signals.send(PRESENCE, `ask:${this.#process}:${workspaceId}`);
    }
    const lost = new Set<string>();
    for (const [process, at] of this.#alive) {
      if (performance.now() - at > this.#times.lostMs) lost.add(process);
    }
    if (lost.size === 0) return;
    for (const process of lost) this.#alive.delete(process);
    for (const followed of this.#followed.values()) {
      for (const key of followed.announced.keys())
        if (lost.has(key.split('/')[0]!)) followed.announced.delete(key);
      this.#publish(followed);
    }
  }

  #showOwn(workspaceId: number): void {
    const followed = this.#followed.get(workspaceId);
    if (!followed) return;
    followed.announced.set(`${this.#process}/0`, bySubject(bounded(this.#own.get(workspaceId) ?? [])));
    this.#publish(followed);
  }

  #publish(followed: Followed): void {
    const changed = changedSubjects(followed.known, [...followed.announced.values()]);
    if (changed.length === 0) return;
    for (const each of changed) {
      if (each.attendees.length > 0) followed.known.set(each.subject, each);
      else followed.known.delete(each.subject);
    }
    const change = { subjects: changed };
    for (const listener of followed.listeners) listener(change);
  }
}

function bySubject(attendances: readonly Attendance[]): Announced {
  return Map.groupBy(attendances, ({ subject }) => subject);
}
