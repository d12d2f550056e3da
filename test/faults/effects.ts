import type { ApnsServer } from '@firmdesk/testing/gateway';
import type { Pool } from 'pg';
import { type Differences, type Ledger, nameOf } from './ledger.ts';
import type { Viewer } from './viewers.ts';

interface Run {
  mark: string;
  state: string;
  has_ended: boolean;
  /** The note in place of a reply that was given up. */
  note: string | null;
}

interface Reply {
  id: string;
  mark: string;
  body: string;
}

interface EffectsOptions {
  ledger: Ledger;
  pool: Pool;
  apns: ApnsServer;
  viewers: readonly Viewer[];
  /** The device tokens that get a push for each mail. */
  phones: readonly string[];
}

/** Checks the later effects of acknowledged writes: one reply per command, received by a viewer, and one push per mail and phone. */
export class Effects {
  readonly #options: EffectsOptions;
  /** The `apns-collapse-id` of each push about a message to a phone. */
  readonly #pushes = new Map<string, string[]>();
  #counted = 0;

  constructor(options: EffectsOptions) {
    this.#options = options;
  }

  /** Returns how many effects of a round are missing. */
  async pending(round: number): Promise<number> {
    const { runs, replies } = await this.#written(round);
    const unfinished = this.#marks(round).filter((mark) => !runs.get(mark)?.[0]?.has_ended).length;
    const unreceived = [...replies.values()].flat().filter(({ id }) => this.#seen(id) === undefined).length;
    return unfinished + unreceived + this.#missingPushes(round).length;
  }

  /**
   * Returns the effects that are missing or duplicated.
   * @param mayFail whether the model could not answer, so that a note may replace the reply
   */
  async compare(round: number, mayFail: boolean): Promise<Differences> {
    const lost = this.#missingPushes(round);
    const duplicated: string[] = [];
    const { runs, replies } = await this.#written(round);
    for (const mark of this.#marks(round)) {
      const [run, ...more] = runs.get(mark) ?? [];
      const written = replies.get(mark) ?? [];
      if (!run?.has_ended) lost.push(`the reply to ${mark}`);
      else if (run.state === 'failed' && !mayFail) lost.push(`the reply to ${mark}: ${run.note}`);
      else if (run.state === 'done' && written.length === 0) lost.push(`the text of the reply to ${mark}`);
      if (more.length > 0 || written.length > 1) duplicated.push(`the reply to ${mark}`);
      for (const { id, body } of written) {
        if (this.#seen(id) !== body) lost.push(`deltas of the reply to ${mark}`);
      }
    }
    for (const push of this.#expectedPushes(round)) {
      const ids = this.#pushes.get(push.key) ?? [];
      // A sender that dies before it records a push sends it again with the same id, which the phone shows once.
      if (new Set(ids).size > 1 || ids.length > 2) duplicated.push(push.name);
    }
    for (const viewer of this.#options.viewers) duplicated.push(...viewer.errors.splice(0));
    return { lost, duplicated };
  }

  #marks(round: number): string[] {
    return this.#options.ledger
      .of(round, 'AI command')
      .filter(({ isAcknowledged }) => isAcknowledged)
      .map(({ mark }) => mark);
  }

  async #written(round: number) {
    const { pool, ledger } = this.#options;
    const marks = ledger.of(round, 'AI command').map(({ mark }) => mark);
    const runs = await pool.query<Run>(
      `select r.instruction as mark, r.state, r.ended_at is not null as has_ended, m.body as note
       from assistant_runs r left join ticket_messages m on m.workspace_id = r.workspace_id and m.id = r.message_id
       where r.instruction = any($1)`,
      [marks],
    );
    const replies = await pool.query<Reply>(
      `select id, body, split_part(body, ' ', 1) as mark from ticket_messages
       where from_kind = 'ai' and not streaming and split_part(body, ' ', 1) = any($1)`,
      [marks],
    );
    return {
      runs: Map.groupBy(runs.rows, ({ mark }) => mark),
      replies: Map.groupBy(replies.rows, ({ mark }) => mark),
    };
  }

  #seen(messageId: string): string | undefined {
    for (const { seen } of this.#options.viewers) if (seen.has(messageId)) return seen.get(messageId);
    return undefined;
  }

  #missingPushes(round: number): string[] {
    this.#countPushes();
    return this.#expectedPushes(round).flatMap(({ key, name }) => (this.#pushes.has(key) ? [] : [name]));
  }

  #countPushes(): void {
    const { received } = this.#options.apns;
    for (; this.#counted < received.length; this.#counted++) {
      const { deviceToken, headers, payload, answered } = received[this.#counted]!;
      if (typeof answered === 'string' || answered.status !== 200) continue;
      const key = `${deviceToken} ${payload.message_id}`;
      this.#pushes.set(key, [...(this.#pushes.get(key) ?? []), String(headers['apns-collapse-id'])]);
    }
  }

  #expectedPushes(round: number): { key: string; name: string }[] {
    const { ledger, phones } = this.#options;
    return ledger
      .of(round, 'mail')
      .filter(({ isAcknowledged }) => isAcknowledged)
      .flatMap((write) =>
        phones.map((phone) => ({
          key: `${phone} ${write.id}`,
          name: `the push of ${nameOf(write)} to ${phone.slice(0, 8)}`,
        })),
      );
  }
}
