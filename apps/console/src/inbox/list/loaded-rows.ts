import type { Ticket } from '@firmdesk/contract';
import { PAGE_ROWS } from '../search/inbox-search.ts';

/** A page of the list as first loaded: the positions of its rows and the cursor to load it again. */
export interface Page {
  cursor: string | null;
  start: number;
  end: number;
  isLoaded: boolean;
  isLoading: boolean;
}

/**
 * The rows of a list of any length in bounded memory: the ids of all of them in their order, and the tickets of the pages that are
 * loaded.
 */
export class LoadedRows {
  #ids: string[] = [];
  #positions = new Map<string, number>();
  readonly #tickets = new Map<string, Ticket>();
  #pages: Page[] = [];

  /** The number of rows. */
  get count(): number {
    return this.#ids.length;
  }

  /** The number of tickets in memory. */
  get loadedCount(): number {
    return this.#tickets.size;
  }

  get pages(): readonly Page[] {
    return this.#pages;
  }

  idAt(position: number): string | undefined {
    return this.#ids[position];
  }

  positionOf(id: string): number | undefined {
    return this.#positions.get(id);
  }

  /** Returns the ticket at a position, or undefined if it is not in memory. */
  at(position: number): Ticket | undefined {
    const id = this.#ids[position];
    return id === undefined ? undefined : this.#tickets.get(id);
  }

  isLoaded(id: string): boolean {
    return this.#tickets.has(id);
  }

  idsOf({ start, end }: Page): string[] {
    return this.#ids.slice(start, end);
  }

  /** Updates a ticket whose page is loaded. */
  update(ticket: Ticket): void {
    const position = this.#positions.get(ticket.id);
    if (position !== undefined && this.pageAt(position).isLoaded) this.#tickets.set(ticket.id, ticket);
  }

  /** Adds a page behind the others, without the tickets that the list has already. */
  append(cursor: string | null, tickets: readonly Ticket[]): void {
    const start = this.#ids.length;
    for (const ticket of tickets) {
      if (this.#positions.has(ticket.id)) continue;
      this.#positions.set(ticket.id, this.#ids.length);
      this.#ids.push(ticket.id);
      this.#tickets.set(ticket.id, ticket);
    }
    const end = this.#ids.length;
    if (end > start) this.#pages.push({ cursor, start, end, isLoaded: true, isLoading: false });
  }

  /** Takes out the row at a position. */
  cut(position: number): void {
    const id = this.#ids[position]!;
    const page = this.pageAt(position);
    this.#ids.splice(position, 1);
    this.#tickets.delete(id);
    page.end--;
    this.#shiftBehind(page, -1);
  }

  /** Puts a ticket before the row at a position, or behind the last one. */
  insert(ticket: Ticket, position: number): void {
    const page = this.#pages.find(({ end }) => end >= position);
    if (page) page.end++;
    else this.#pages.push({ cursor: null, start: 0, end: 1, isLoaded: true, isLoading: false });
    this.#ids.splice(position, 0, ticket.id);
    this.#tickets.set(ticket.id, ticket);
    this.#shiftBehind(page, 1);
  }

  #shiftBehind(changed: Page | undefined, by: 1 | -1): void {
    const at = changed ? this.#pages.indexOf(changed) : this.#pages.length;
    for (const page of this.#pages.slice(at + 1)) {
      page.start += by;
      page.end += by;
    }
    this.#pages = this.#pages.filter(({ start, end }) => start < end);
    this.#positions = new Map(this.#ids.map((id, index) => [id, index]));
  }

  /** Removes the tickets of a page from memory. */
  release(page: Page): void {
    page.isLoaded = false;
    for (const id of this.idsOf(page)) this.#tickets.delete(id);
  }

  /** Returns the pages with rows from `from` inclusive to `to` exclusive; the last one if all rows are before. */
  pagesBetween(from: number, to: number): Page[] {
    if (this.#ids.length === 0) return [];
    const first = this.#pages.indexOf(this.pageAt(Math.max(0, Math.min(from, this.#ids.length - 1))));
    return this.#pages.slice(first).filter(({ start }) => start < to);
  }

  /** Returns the page of a position. Pages have about {@link PAGE_ROWS} rows, so the search can start there. */
  pageAt(position: number): Page {
    let i = Math.min(Math.floor(position / PAGE_ROWS), this.#pages.length - 1);
    while (this.#pages[i]!.start > position) i--;
    while (this.#pages[i]!.end <= position) i++;
    return this.#pages[i]!;
  }

  clear(): void {
    this.#ids = [];
    this.#positions.clear();
    this.#tickets.clear();
    this.#pages = [];
  }
}
