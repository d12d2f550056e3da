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
  tickets: string;
  ticket_messages: string;
  notifications: string;
  pre_registrations: string;
}
type Kind = keyof IdTypes;
type Entry = [kind: Kind, key: string, id: string | number];

/** What the file held that could not be taken as it stood: in an `ics` document, or in tickets. */
export interface ImportReport {
  /** Where it stands: `ics[2]`. */
  path: string;
  /** What was done instead, a line each. */
  messages: string[];
}

/** What an import made (`ops import --out FILE`), and what it did not take as it stood. */
export interface ImportResult {
  /** The plaintext of each token by its key: seen here alone. */
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
  'tickets',
  'ticket_messages',
  'notifications',
  'pre_registrations',
] as const satisfies Kind[];

/** What a batch adds to the idMap; JSON, so that it can be kept. */
export interface IdMapPart {
  entries: Entry[];
  reports: ImportReport[];
}

/** Which id each key got, and what was reported. An import that is continued takes up what its earlier batches added. */
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

  /** The id of a key that the check of the file has found to be there. */
  get<K extends Kind>(kind: K, key: string): IdTypes[K] {
    const id = this.find(kind, key);
    if (id === undefined) throw new Error(`The import has made no ${kind} "${key}"`);
    return id;
  }

  /** Every key of a kind, with its id. */
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

  /** What came in since it was last asked. */
  takeUnsaved(): IdMapPart {
    const unsaved = this.#unsaved;
    this.#unsaved = { entries: [], reports: [] };
    return unsaved;
  }

  restore({ entries, reports }: IdMapPart): void {
    for (const entry of entries) this.#put(entry);
    this.#reports.push(...reports);
  }

  /** As `--out` shows it. */
  toIds(): ImportResult['ids'] {
    const shown = kinds.map((kind) => [kind, Object.fromEntries(this.entries(kind))]);
    return Object.fromEntries(shown) as ImportResult['ids'];
  }

  #put([kind, key, id]: Entry): void {
    const ids = this.#ids.get(kind) ?? new Map<string, string | number>();
    this.#ids.set(kind, ids.set(key, id));
  }
}
