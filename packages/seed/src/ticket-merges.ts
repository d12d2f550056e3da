import { formatPath, type Path, type Problem } from './problems.ts';
import type { SeedRecord } from './schema.ts';

/** Checks merges as the product makes them: of a closed ticket, into one of the same trader, and never in a circle, which has no end to write to. */
export class TicketMerges {
  readonly #tickets = new Map<string, { trader: string; isClosed: boolean }>();
  /** Leads from each merged ticket towards the last one of its chain, if not to the next one. */
  readonly #towardsEnd = new Map<string, string>();

  addTicket({ key, trader, status }: SeedRecord<'tickets'>): void {
    this.#tickets.set(key, { trader, isClosed: status === 'closed' });
  }

  /** Adds a merge of tickets that were added, and returns what is wrong with it. */
  add({ ticket, into }: SeedRecord<'ticket_merges'>, at: Path): Problem[] {
    const problem = (field: string, message: string) => [{ path: formatPath([...at, field]), message }];
    const [from, target] = [this.#tickets.get(ticket)!, this.#tickets.get(into)!];
    if (!from.isClosed) return problem('ticket', 'must be a closed ticket');
    if (from.trader !== target.trader) return problem('into', 'must be a ticket of the same trader');
    if (this.#endOf(into) === ticket) return problem('into', `must not lead back to "${ticket}"`);
    // A second merge of a ticket is refused as a duplicate.
    if (!this.#towardsEnd.has(ticket)) this.#towardsEnd.set(ticket, into);
    return [];
  }

  /** Returns the last ticket of a chain, and halves the way there, so that long chains are not walked again and again. */
  #endOf(ticket: string): string {
    let at = ticket;
    for (;;) {
      const next = this.#towardsEnd.get(at);
      if (next === undefined) return at;
      const further = this.#towardsEnd.get(next);
      if (further === undefined) return next;
      this.#towardsEnd.set(at, further);
      at = further;
    }
  }
}
