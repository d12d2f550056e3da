import type { Match } from '../search/match.ts';

/** Changes since a list was loaded that a reload would show. */
export interface PendingChanges {
  /** Tickets that belong in the list and are not shown. */
  added: number;
  /** Shown tickets that are no longer in order, or no longer belong in the list. */
  moved: number;
  /** There may be further changes that only the service knows. */
  isUncertain: boolean;
}

/** Counts the tickets whose position in a list is out of date. */
export class OrderChanges {
  readonly #added = new Set<string>();
  readonly #moved = new Set<string>();
  #isUncertain = false;

  get pending(): PendingChanges {
    return { added: this.#added.size, moved: this.#moved.size, isUncertain: this.#isUncertain };
  }

  hasMoved(id: string): boolean {
    return this.#moved.has(id);
  }

  /** Records whether a ticket that is not shown belongs in the list. */
  setUnlisted(id: string, match: Match): void {
    if (match === true) this.#added.add(id);
    else this.#added.delete(id);
    if (match === 'perhaps') this.setUncertain();
  }

  /** Records whether a shown ticket is in order. */
  setListed(id: string, isInOrder: boolean): void {
    if (isInOrder) this.#moved.delete(id);
    else this.#moved.add(id);
  }

  /** Forgets a ticket, which is where it belongs. */
  settle(id: string): void {
    this.#added.delete(id);
    this.#moved.delete(id);
  }

  setUncertain(): void {
    this.#isUncertain = true;
  }

  clear(): void {
    this.#added.clear();
    this.#moved.clear();
    this.#isUncertain = false;
  }
}
