import type { Pool } from 'pg';
import { type Differences, type Ledger, nameOf, type Write } from './ledger.ts';
import type { WebhookReceiver } from './receiver.ts';

/** The note that a rule writes for each message of the trader in the ticket that is urgent. */
export const RULE_NOTE = 'The rule has run.';

/**
 * The deliveries that a fault can repeat, with the same id: of each worker those that were on their way when it, or its database, ended.
 */
const MAX_REPEATED = 8;

/** Checks what acknowledged messages cause in a firm with rules and webhooks: a note of the rule, and an event that arrives in its order. */
export class Automation {
  readonly #ledger: Ledger;
  readonly #pool: Pool;
  readonly #receiver: WebhookReceiver;
  readonly #ticket: string;
  readonly #reported = new Set<string>();

  constructor(options: { ledger: Ledger; pool: Pool; receiver: WebhookReceiver; ruledTicket: string }) {
    this.#ledger = options.ledger;
    this.#pool = options.pool;
    this.#receiver = options.receiver;
    this.#ticket = options.ruledTicket;
  }

  /** Returns how many effects of a round are missing. */
  async pending(round: number): Promise<number> {
    const { notes, until } = await this.#ruled(round);
    return this.#missing(round).length + Math.max(until - notes, 0);
  }

  /** Returns the effects that are missing or duplicated, while nobody writes. */
  async compare(round: number): Promise<Differences> {
    const lost = this.#missing(round).map((write) => `the webhook of ${nameOf(write)}`);
    const duplicated: string[] = [];
    const bodies = new Set(this.#messages(round).map(({ mark }) => mark));
    const events = this.#receiver.arrived.filter(({ data }) => bodies.has(bodyOf(data)));
    for (const [body, all] of Map.groupBy(events, ({ data }) => bodyOf(data)))
      if (new Set(all.map(({ id }) => id)).size > 1) duplicated.push(`the webhook of ${body}`);
    const repeated = events.length - new Set(events.map(({ id }) => id)).size;
    if (repeated > MAX_REPEATED) duplicated.push(`${repeated} deliveries of webhooks`);
    duplicated.push(...(await this.#disordered()));
    const { messages, notes } = await this.#ruled(round);
    if (notes < messages) lost.push(`${messages - notes} notes of the rule`);
    if (notes > messages) duplicated.push(`${notes - messages} notes of the rule`);
    return { lost, duplicated };
  }

  #messages(round: number): Write[] {
    return [...this.#ledger.of(round, 'trader message'), ...this.#ledger.of(round, 'reply')];
  }

  #missing(round: number): Write[] {
    const bodies = new Set(this.#receiver.arrived.map(({ data }) => bodyOf(data)));
    return this.#messages(round).filter(({ isAcknowledged, mark }) => isAcknowledged && !bodies.has(mark));
  }

  /** Counts the messages that start the rule, its notes, and how many messages there are up to the last one of a round. */
  async #ruled(round: number) {
    const marks = this.#ledger.of(round, 'trader message').map(({ mark }) => mark);
    const { rows } = await this.#pool.query<{ messages: number; notes: number; until: number }>(
      `select count(*) filter (where nth is not null)::integer as messages, count(*) filter (where nth is null)::integer as notes,
         coalesce(max(nth) filter (where body = any($2)), 0)::integer as until
       from (
         select body, case when from_kind = 'trader' then row_number() over (partition by from_kind order by created_at, id) end as nth
         from ticket_messages where ticket_id = $1 and (from_kind = 'trader' or body = $3)) m`,
      [this.#ticket, marks, RULE_NOTE],
    );
    return rows[0]!;
  }

  /** Returns the events that first arrived after a later one of their ticket. */
  async #disordered(): Promise<string[]> {
    const { rows } = await this.#pool.query<{ id: string; subject: string; position: string }>(
      'select id, subject, position::text from webhook_events',
    );
    const stored = new Map(rows.map((row) => [row.id, row]));
    const last = new Map<string, bigint>();
    const seen = new Set<string>();
    const found: string[] = [];
    for (const { id } of this.#receiver.arrived) {
      const event = stored.get(id);
      if (!event || seen.has(id)) continue;
      seen.add(id);
      const position = BigInt(event.position);
      if (position < (last.get(event.subject) ?? 0n) && !this.#reported.has(id)) {
        this.#reported.add(id);
        found.push(`the order of the webhook ${id}`);
      }
      last.set(event.subject, position);
    }
    return found;
  }
}

const bodyOf = (data: object): string => ('body' in data ? String(data.body) : '');
