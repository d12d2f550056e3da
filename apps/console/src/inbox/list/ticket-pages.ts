import type { Ticket, TicketPage, TicketSort } from '@firmdesk/contract';
import type { Match } from '../search/match.ts';
import { LoadedRows, type Page } from './loaded-rows.ts';
import { compareTickets, isInOrder } from './order.ts';
import { OrderChanges, type PendingChanges } from './order-changes.ts';

/** Pages within this many rows of the visible rows are prefetched. */
const PREFETCH_ROWS = 60;
/** Pages farther than this from the visible rows are released, and fetched again when needed. */
const KEPT_ROWS = 400;

export interface TicketSource {
  sort: TicketSort;
  page(cursor: string | null, signal: AbortSignal): Promise<TicketPage>;
  ticket(id: string, signal: AbortSignal): Promise<Ticket>;
  matches(ticket: Ticket): Match;
}

/**
 * A list of any length in bounded memory. It keeps the order in which rows were first loaded, as ids, until a reload: rows
 * never move by themselves. Only rows near the visible ones are in memory. A released page is loaded again by its cursor, and
 * rows that have left it are loaded one by one, so that each position shows the same ticket in its current state.
 */
export class TicketPages {
  readonly #source: TicketSource;
  readonly #listeners = new Set<() => void>();
  #version = 0;
  #run = new AbortController();
  readonly #rows = new LoadedRows();
  #lastLoaded: Ticket | null = null;
  #nextCursor: string | null = null;
  #isComplete = false;
  #isAppending = false;
  #isReloading = false;
  #hasMissed = false;
  #error: unknown = null;
  #retryFailed: () => void = () => {};
  #visible = { from: 0, to: 0 };
  readonly #changes = new OrderChanges();
  /** The places of tickets that an own change has moved or removed: the position of the row that follows there. */
  readonly #left = new Map<string, number>();
  /** Tickets patched while requests are pending. They are at least as new as the responses. */
  readonly #patched = new Map<string, Ticket>();
  #pendingRequests = 0;

  constructor(source: TicketSource) {
    this.#source = source;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Increases with each change. */
  readonly version = (): number => this.#version;

  /** The number of rows known so far. */
  get count(): number {
    return this.#rows.count;
  }

  /** Whether every row is known. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  get isReloading(): boolean {
    return this.#isReloading;
  }

  /** The error that stopped loading, until {@link retry}. */
  get error(): unknown {
    return this.#error;
  }

  get pending(): PendingChanges {
    return this.#changes.pending;
  }

  /** The number of rows in memory. */
  get loadedRows(): number {
    return this.#rows.loadedCount;
  }

  idAt(position: number): string | undefined {
    return this.#rows.idAt(position);
  }

  positionOf(id: string): number {
    return this.#rows.positionOf(id) ?? -1;
  }

  /** Returns the row at a position, or undefined while it loads. */
  rowAt(position: number): Ticket | undefined {
    return this.#rows.at(position);
  }

  /** Sets the visible rows: `from` inclusive, `to` exclusive. */
  show(from: number, to: number): void {
    this.#visible = { from, to };
    this.#fill();
  }

  /**
   * Updates a ticket to its current state.
   *
   * @param isOwn whether the user has changed it: it then leaves the list, or goes to its place, at once
   */
  patch(ticket: Ticket, isOwn = false): void {
    if (this.#pendingRequests > 0) this.#patched.set(ticket.id, ticket);
    if (this.count === 0 && !this.#isComplete) return;
    this.#rows.update(ticket);
    const match = this.#source.matches(ticket);
    this.#trackOrder(ticket, match);
    if (isOwn && match !== 'perhaps' && !this.#isReloading) this.#place(ticket, match);
    this.#changed();
  }

  /** The position of the row that took the place of a ticket, which an own change has moved or removed; undefined for others. */
  placeLeftBy(id: string | null): number | undefined {
    return id === null ? undefined : this.#left.get(id);
  }

  /** Forgets the place that a ticket has left: it was chosen where it is now. */
  forgetPlace(id: string): void {
    this.#left.delete(id);
  }

  /** Takes a ticket out of the list, or moves it to its place among the loaded rows. */
  #place(ticket: Ticket, match: boolean): void {
    const { id } = ticket;
    const from = this.#rows.positionOf(id);
    if (from !== undefined && !this.#changes.hasMoved(id)) return;
    const to = match ? this.#placeOf(ticket) : null;
    // Where it belongs is not known: the list says so, as for a change by others.
    if (to === undefined) return;
    const isLoaded = this.#rows.isLoaded(id) || from === undefined;
    if (from !== undefined) {
      this.#rows.cut(from);
      this.#shiftPlaces(from, -1);
      this.#left.set(id, from);
    }
    if (to !== null && isLoaded) {
      const target = from !== undefined && from < to ? to - 1 : to;
      this.#rows.insert(ticket, target);
      this.#shiftPlaces(target, 1);
      if (from === undefined) this.#left.delete(id);
    }
    this.#changes.settle(id);
  }

  /** Returns the position at which a ticket belongs: null behind the loaded rows, undefined if rows near it are not in memory. */
  #placeOf(ticket: Ticket): number | null | undefined {
    const { sort } = this.#source;
    for (let position = 0; position < this.count; position++) {
      const row = this.rowAt(position);
      if (!row) return undefined;
      if (row.id === ticket.id || this.#changes.hasMoved(row.id)) continue;
      if (compareTickets(sort, ticket, row) < 0) return position;
    }
    return this.#isComplete ? this.count : null;
  }

  /** Moves the places behind a position that was taken out or put in. */
  #shiftPlaces(position: number, by: 1 | -1): void {
    for (const [id, left] of this.#left) if (left > position) this.#left.set(id, left + by);
  }

  /** Loads the list again in its current order. The rows stay until the first page is loaded. */
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
    // Responses that were pending when events were missed may be out of date.
    if (this.#hasMissed) this.refresh();
  }

  /** Reloads the visible rows and the list's top in place, after events may have been missed. */
  refresh(): void {
    this.#hasMissed = this.#isReloading;
    if (this.#isReloading) return;
    if (this.count === 0) {
      if (this.#isComplete) void this.reload();
      return;
    }
    const { pages } = this.#rows;
    if (pages.length > 1) this.#changes.setUncertain();
    const near = this.#prefetchedPages();
    for (const page of pages) {
      if (near.includes(page) || page === pages[0]) void this.#refill(page);
      else this.#rows.release(page);
    }
  }

  /** Loads the rows up to a position, until the signal is aborted or a request fails. */
  async loadThrough(position: number, signal: AbortSignal): Promise<void> {
    const run = this.#run;
    while (
      this.count <= position &&
      !this.#isComplete &&
      !signal.aborted &&
      !run.signal.aborted &&
      this.#error === null
    ) {
      if (this.#isAppending || this.#isReloading) await new Promise<void>(this.#onceChanged);
      else await this.#fetchNext();
    }
  }

  readonly #onceChanged = (resolve: () => void): void => {
    const stop = this.subscribe(() => {
      stop();
      resolve();
    });
  };

  /** Repeats the request that failed. */
  retry(): void {
    if (this.#error === null) return;
    this.#error = null;
    this.#changed();
    this.#retryFailed();
  }

  /** Aborts pending requests. */
  stop(): void {
    this.#run.abort();
  }

  #clear(): void {
    this.#rows.clear();
    this.#lastLoaded = null;
    this.#changes.clear();
    this.#left.clear();
    this.#visible = { from: 0, to: 0 };
  }

  #fill(): void {
    const { from, to } = this.#visible;
    for (const page of this.#rows.pages) {
      if (page.isLoaded && (page.end < from - KEPT_ROWS || page.start > to + KEPT_ROWS))
        this.#rows.release(page);
    }
    if (this.#isReloading || this.#error !== null) return;
    for (const page of this.#prefetchedPages()) {
      if (!page.isLoaded && !page.isLoading) void this.#refill(page);
    }
    if (to + PREFETCH_ROWS >= this.count && !this.#isComplete && !this.#isAppending) void this.#fetchNext();
  }

  async #fetchNext(): Promise<void> {
    const { signal } = this.#run;
    const cursor = this.#nextCursor;
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
    // Those on an earlier page were loaded before they moved down.
    const added = data
      .filter(({ id }) => this.#rows.positionOf(id) === undefined)
      .map((ticket) => this.#patched.get(ticket.id) ?? ticket);
    this.#rows.append(cursor, added);
    for (const { id } of added) this.#changes.setUnlisted(id, false);
    this.#lastLoaded = data.at(-1) ?? this.#lastLoaded;
    this.#nextCursor = meta.next_cursor;
    this.#isComplete = !meta.has_more;
    for (const ticket of this.#patched.values()) this.#trackOrder(ticket, this.#source.matches(ticket));
  }

  /** Loads the rows of a page again, each at its original position. */
  async #refill(page: Page): Promise<void> {
    page.isLoading = true;
    await this.#fetchPage(
      page.cursor,
      () => this.#fill(),
      async ({ data }, signal) => {
        const received = new Set(data.map(({ id }) => id));
        const left = this.#rows.idsOf(page).filter((id) => !received.has(id));
        const moved = await Promise.allSettled(left.map((id) => this.#source.ticket(id, signal)));
        if (signal.aborted) return;
        page.isLoaded = true;
        for (const ticket of data) this.#update(ticket, true);
        for (const each of moved) {
          if (each.status === 'fulfilled') this.#update(each.value, this.#source.matches(each.value));
        }
      },
    );
    page.isLoading = false;
  }

  #update(ticket: Ticket, match: Match): void {
    const patched = this.#patched.get(ticket.id);
    this.#rows.update(patched ?? ticket);
    this.#trackOrder(patched ?? ticket, patched ? this.#source.matches(patched) : match);
  }

  /** @param repeat what {@link retry} does when the request fails */
  async #fetchPage(
    cursor: string | null,
    repeat: () => void,
    use: (page: TicketPage, signal: AbortSignal) => void | Promise<void>,
  ): Promise<void> {
    const { signal } = this.#run;
    this.#pendingRequests++;
    try {
      const page = await this.#source.page(cursor, signal);
      if (!signal.aborted) await use(page, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#error = error;
      this.#retryFailed = repeat;
    } finally {
      this.#pendingRequests--;
      if (this.#pendingRequests === 0) this.#patched.clear();
      if (!signal.aborted) this.#changed();
    }
  }

  /** Records whether a changed ticket would be at another position after a reload. */
  #trackOrder(ticket: Ticket, match: Match): void {
    const { sort } = this.#source;
    const position = this.#rows.positionOf(ticket.id);
    if (position === undefined) {
      const isOnLaterPage =
        !this.#isComplete && this.#lastLoaded !== null && compareTickets(sort, ticket, this.#lastLoaded) > 0;
      this.#changes.setUnlisted(ticket.id, isOnLaterPage ? false : match);
    } else if (match !== false && !this.#rows.pageAt(position).isLoaded) {
      this.#changes.setUncertain();
    } else {
      const rowInOrder = (at: number) => {
        const row = this.rowAt(at);
        return row && !this.#changes.hasMoved(row.id) ? row : undefined;
      };
      this.#changes.setListed(ticket.id, match !== false && isInOrder(sort, ticket, position, rowInOrder));
    }
  }

  #prefetchedPages(): Page[] {
    const { from, to } = this.#visible;
    return this.#rows.pagesBetween(from - PREFETCH_ROWS, to + PREFETCH_ROWS);
  }

  #changed(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }
}
