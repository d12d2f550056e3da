/** The kinds of record that have a key, with the type of their ids. `threads` are named within their mailbox. */
interface IdTypes {
  users: string;
  mailboxes: number;
  threads: number;
  messages: string;
  calendars: number;
  events: number;
  tags: number;
  teams: number;
  macros: string;
  tickets: string;
  ticket_messages: string;
  notifications: string;
  pre_registrations: string;
}
type Kind = keyof IdTypes;
type Entry = [kind: Kind, key: string, id: string | number];

/** Records that were changed or skipped: in an `ics` document, or in tickets. */
export interface ImportReport {
  /** The position in the file: `ics[2]`. */
  path: string;
  /** What was changed or skipped, one line each. */
  messages: string[];
}

/** The result of an import: created tokens and ids (`ops import --out FILE`), and changed or skipped records. */
export interface ImportResult {
  /** The plaintext of each token by its key. It is available only here. */
  tokens: Record<string, string>;
  ids: { [K in Exclude<Kind, 'threads'>]: Record<string, IdTypes[K]> };
  reports: readonly ImportReport[];
}

const kinds = [
  'users',
  'mailboxes',
  'messages',
  'calendars',
  'events',
  'tags',
  'teams',
  'macros',
  'tickets',
  'ticket_messages',
  'notifications',
  'pre_registrations',
] as const satisfies Kind[];

/** The additions of one batch, stored as JSON. */
export interface IdMapPart {
  entries: Entry[];
  reports: ImportReport[];
}

/** The id of each key, and the reports. A continued import restores the additions of its earlier batches. */
export class IdMap {
  readonly #ids = new Map<Kind, Map<string, string | number>>();
  readonly #reports: ImportReport[] = [];
  #unsaved: IdMapPart = { entries: [], reports: [] };

  set<K extends Kind>(kind: K, key: string, id: IdTypes[K]): void {
    this.#put([kind, key, id]);
    this.#unsaved.entries.push([kind, key, id]);
  }

  find<K extends Kind>(kind: K, key: string): IdTypes[K] | undefined {
    return this.#ids.get(kind)?.get(key) as IdTypes[K] | undefined;
  }

  /** Returns the id of a key whose existence was checked before. */
  get<K extends Kind>(kind: K, key: string): IdTypes[K] {
    const id = this.find(kind, key);
    if (id === undefined) throw new Error(`The import has no ${kind} "${key}".`);
    return id;
  }

  /** Returns every key of a kind with its id. */
  entries<K extends Kind>(kind: K): [key: string, id: IdTypes[K]][] {
    return [...(this.#ids.get(kind) ?? [])] as [string, IdTypes[K]][];
  }

  report(report: ImportReport): void {
    this.#reports.push(report);
    this.#unsaved.reports.push(report);
  }

  get reports(): readonly ImportReport[] {
    return this.#reports;
  }

  /** Returns the additions since the last call. */
  takeUnsaved(): IdMapPart {
    const unsaved = this.#unsaved;
    this.#unsaved = { entries: [], reports: [] };
    return unsaved;
  }

  restore({ entries, reports }: IdMapPart): void {
    for (const entry of entries) this.#put(entry);
    this.#reports.push(...reports);
  }

  /** Returns the ids in the form of `--out`. */
  toIds(): ImportResult['ids'] {
    const shown = kinds.map((kind) => [kind, Object.fromEntries(this.entries(kind))]);
    return Object.fromEntries(shown) as ImportResult['ids'];
  }

  #put([kind, key, id]: Entry): void {
    const ids = this.#ids.get(kind) ?? new Map<string, string | number>();
    this.#ids.set(kind, ids.set(key, id));
  }
}
