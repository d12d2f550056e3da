import type { Ticket, TicketPage, TicketSort } from '@firmdesk/contract';
import type { Match } from './match.ts';
import { compareTickets, isInOrder } from './order.ts';
import { OrderChanges, type PendingChanges } from './order-changes.ts';

/** Rows a page. */
export const PAGE_ROWS = 100;
/** What comes this many rows after or before what is seen is fetched before it is needed. */
const AHEAD = 60;
/** Rows farther than this from what is seen are let go, and fetched again when they are seen again. */
const KEPT_AROUND = 400;

export interface TicketSource {
  sort: TicketSort;
  page(cursor: string | null, signal: AbortSignal): Promise<TicketPage>;
  ticket(id: string, signal: AbortSignal): Promise<Ticket>;
  matches(ticket: Ticket): Match;
}

/** A page of the list as it was first loaded: which places it fills, and how to ask for it again. */
interface Page {
  cursor: string | null;
  start: number;
  end: number;
  isHeld: boolean;
  isLoading: boolean;
}

/**
 * A list of any length in bounded memory. It keeps the order in which rows were first loaded, a few bytes a row, until it is
 * told to reload: nothing moves under a reader. The rows themselves are kept around what is seen. A page that was let go is
 * asked for by its cursor again, and rows that have left it in the meantime one by one, so that a place always shows the
 * ticket it showed before, as it now is.
 */
export class TicketPages {
  readonly #source: TicketSource;
  readonly #listeners = new Set<() => void>();
  #version = 0;
  #run = new AbortController();
  #ids: string[] = [];
  #places = new Map<string, number>();
  #rows = new Map<string, Ticket>();
  #pages: Page[] = [];
  #last: Ticket | null = null;
  #next: string | null = null;
  #isComplete = false;
  #isAppending = false;
  #isReloading = false;
  #hasMissed = false;
  #error: unknown = null;
  #tryAgain: () => void = () => {};
  #seen = { from: 0, to: 0 };
  readonly #changes = new OrderChanges();
  /** What was told while answers are on their way: it is newer than they are, or as new. */
  readonly #told = new Map<string, Ticket>();
  #onTheirWay = 0;

  constructor(source: TicketSource) {
    this.#source = source;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Another number after each change. */
  readonly version = (): number => this.#version;

  /** Rows known so far. */
  get count(): number {
    return this.#ids.length;
  }

  /** Whether they are all. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  get isReloading(): boolean {
    return this.#isReloading;
  }

  /** Why nothing more comes, until {@link retry}. */
  get error(): unknown {
    return this.#error;
  }

  get pending(): PendingChanges {
    return this.#changes.pending;
  }

  /** Rows in memory. */
  get held(): number {
    return this.#rows.size;
  }

  idAt(place: number): string | undefined {
    return this.#ids[place];
  }

  placeOf(id: string): number {
    return this.#places.get(id) ?? -1;
  }

  /** Undefined while it is on its way. */
  rowAt(place: number): Ticket | undefined {
    const id = this.#ids[place];
    return id === undefined ? undefined : this.#rows.get(id);
  }

  /** What is seen: the rows from `from` up to, not with, `to`. */
  show(from: number, to: number): void {
    this.#seen = { from, to };
    this.#fill();
  }

  /** How a ticket now is. */
  patch(ticket: Ticket): void {
    if (this.#onTheirWay > 0) this.#told.set(ticket.id, ticket);
    if (this.#ids.length === 0 && !this.#isComplete) return;
    const place = this.#places.get(ticket.id);
    if (place !== undefined && this.#pageAt(place).isHeld) this.#rows.set(ticket.id, ticket);
    this.#consider(ticket, this.#source.matches(ticket));
    this.#changed();
  }

  /** Puts the list in order, as it now is. What stands there stays until the first page has come. */
  async reload(): Promise<void> {
    this.#run.abort();
    const run = new AbortController();
    this.#run = run;
    this.#isReloading = true;
    this.#isAppending = false;
    this.#error = null;
    this.#changed();
    await this.#fetchPage(
      null,
      () => void this.reload(),
      (page) => {
        this.#clear();
        this.#append(null, page);
      },
    );
    if (run.signal.aborted) return;
    this.#isReloading = false;
    this.#changed();
    this.#fill();
    // What is on its way when something is missed may lack it.
    if (this.#hasMissed) this.refresh();
  }

  /** Looks again at what is seen and at the list's top, in place: something may have been missed. */
  refresh(): void {
    this.#hasMissed = this.#isReloading;
    if (this.#isReloading) return;
    if (this.#ids.length === 0) {
      if (this.#isComplete) void this.reload();
      return;
    }
    if (this.#pages.length > 1) this.#changes.setUncertain();
    const near = this.#pagesAround(AHEAD);
    for (const page of this.#pages) {
      if (near.includes(page) || page === this.#pages[0]) void this.#refill(page);
      else this.#letGo(page);
    }
  }

  /** Asks again for what could not be had. */
  retry(): void {
    if (this.#error === null) return;
    this.#error = null;
    this.#changed();
    this.#tryAgain();
  }

  /** Ends what is on its way. */
  stop(): void {
    this.#run.abort();
  }

  #clear(): void {
    this.#ids = [];
    this.#places.clear();
    this.#rows.clear();
    this.#pages = [];
    this.#last = null;
    this.#changes.clear();
    this.#seen = { from: 0, to: 0 };
  }

  #fill(): void {
    const { from, to } = this.#seen;
    for (const page of this.#pages) {
      if (page.isHeld && (page.end < from - KEPT_AROUND || page.start > to + KEPT_AROUND)) this.#letGo(page);
    }
    if (this.#isReloading || this.#error !== null) return;
    for (const page of this.#pagesAround(AHEAD)) {
      if (!page.isHeld && !page.isLoading) void this.#refill(page);
    }
    if (to + AHEAD >= this.#ids.length && !this.#isComplete && !this.#isAppending) void this.#fetchNext();
  }

  async #fetchNext(): Promise<void> {
    const { signal } = this.#run;
    const cursor = this.#next;
    this.#isAppending = true;
    await this.#fetchPage(
      cursor,
      () => this.#fill(),
      (page) => this.#append(cursor, page),
    );
    if (signal.aborted) return;
    this.#isAppending = false;
    this.#fill();
  }

  #append(cursor: string | null, { data, meta }: TicketPage): void {
    const start = this.#ids.length;
    for (const answered of data) {
      // It was seen farther up already, before it moved down here.
      if (this.#places.has(answered.id)) continue;
      const ticket = this.#told.get(answered.id) ?? answered;
      this.#places.set(ticket.id, this.#ids.length);
      this.#ids.push(ticket.id);
      this.#rows.set(ticket.id, ticket);
      this.#changes.setUnlisted(ticket.id, false);
    }
    if (this.#ids.length > start) {
      this.#pages.push({ cursor, start, end: this.#ids.length, isHeld: true, isLoading: false });
    }
    this.#last = data.at(-1) ?? this.#last;
    this.#next = meta.next_cursor;
    this.#isComplete = !meta.has_more;
    for (const ticket of this.#told.values()) this.#consider(ticket, this.#source.matches(ticket));
  }

  /** Brings the rows of a page again: each at the place where it was. */
  async #refill(page: Page): Promise<void> {
    page.isLoading = true;
    await this.#fetchPage(
      page.cursor,
      () => this.#fill(),
      async ({ data }, signal) => {
        const answered = new Set(data.map(({ id }) => id));
        const left = this.#ids.slice(page.start, page.end).filter((id) => !answered.has(id));
        const elsewhere = await Promise.allSettled(left.map((id) => this.#source.ticket(id, signal)));
        if (signal.aborted) return;
        page.isHeld = true;
        for (const ticket of data) this.#bring(ticket, true);
        for (const each of elsewhere) {
          if (each.status === 'fulfilled') this.#bring(each.value, this.#source.matches(each.value));
        }
      },
    );
    page.isLoading = false;
  }

  #bring(ticket: Ticket, match: Match): void {
    const told = this.#told.get(ticket.id);
    const place = this.#places.get(ticket.id);
    if (place !== undefined && this.#pageAt(place).isHeld) this.#rows.set(ticket.id, told ?? ticket);
    this.#consider(told ?? ticket, told ? this.#source.matches(told) : match);
  }

  #letGo(page: Page): void {
    page.isHeld = false;
    for (let place = page.start; place < page.end; place++) this.#rows.delete(this.#ids[place]!);
  }

  /** @param tryAgain what {@link retry} does when it fails */
  async #fetchPage(
    cursor: string | null,
    tryAgain: () => void,
    use: (page: TicketPage, signal: AbortSignal) => void | Promise<void>,
  ): Promise<void> {
    const { signal } = this.#run;
    this.#onTheirWay++;
    try {
      const page = await this.#source.page(cursor, signal);
      if (!signal.aborted) await use(page, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#error = error;
      this.#tryAgain = tryAgain;
    } finally {
      this.#onTheirWay--;
      if (this.#onTheirWay === 0) this.#told.clear();
      if (!signal.aborted) this.#changed();
    }
  }

  /** Whether a ticket that changed would stand elsewhere if the list were put in order now. */
  #consider(ticket: Ticket, match: Match): void {
    const { sort } = this.#source;
    const place = this.#places.get(ticket.id);
    if (place === undefined) {
      const comesLater =
        !this.#isComplete && this.#last !== null && compareTickets(sort, ticket, this.#last) > 0;
      this.#changes.setUnlisted(ticket.id, comesLater ? false : match);
    } else if (match !== false && !this.#pageAt(place).isHeld) {
      this.#changes.setUncertain();
    } else {
      const inPlace = (at: number) => {
        const row = this.rowAt(at);
        return row && !this.#changes.hasMoved(row.id) ? row : undefined;
      };
      this.#changes.setListed(ticket.id, match !== false && isInOrder(sort, ticket, place, inPlace));
    }
  }

  #pagesAround(rows: number): Page[] {
    if (this.#ids.length === 0) return [];
    const first = this.#pages.indexOf(
      this.#pageAt(Math.max(0, Math.min(this.#seen.from - rows, this.#ids.length - 1))),
    );
    const pages: Page[] = [];
    for (let i = first; i < this.#pages.length && this.#pages[i]!.start < this.#seen.to + rows; i++) {
      pages.push(this.#pages[i]!);
    }
    return pages;
  }

  /** No page has more than {@link PAGE_ROWS} rows, so the one with this place is not before that many pages. */
  #pageAt(place: number): Page {
    let i = Math.floor(place / PAGE_ROWS);
    while (this.#pages[i]!.end <= place) i++;
    return this.#pages[i]!;
  }

  #changed(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }
}
