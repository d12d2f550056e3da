import type { Match } from './match.ts';

/** What changed since a list was put in order, and would show if it were put in order now. */
export interface PendingChanges {
  /** Tickets that the list does not show. */
  added: number;
  /** Tickets that it shows in another place than theirs, or that no longer belong to it. */
  moved: number;
  /** There may be more; only the service knows. */
  isUncertain: boolean;
}

/** Keeps count of the tickets whose place in a list is no longer right. */
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

  /** A ticket that the list does not show: whether it should. */
  setUnlisted(id: string, match: Match): void {
    if (match === true) this.#added.add(id);
    else this.#added.delete(id);
    if (match === 'perhaps') this.setUncertain();
  }

  /** A ticket that the list shows: whether where it should. */
  setListed(id: string, isRight: boolean): void {
    if (isRight) this.#moved.delete(id);
    else this.#moved.add(id);
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
