import type { Pool } from 'pg';

export type Kind =
  | 'draft'
  | 'autosave'
  | 'trader message'
  | 'reply'
  | 'AI command'
  | 'notification'
  | 'mark read'
  | 'device'
  | 'mail';

/** A write, identified by a unique mark wherever it is stored. */
export interface Write {
  kind: Kind;
  mark: string;
  /** The number of the round in which it started. */
  round: number;
  isAcknowledged: boolean;
  /** Whether the answer shows that an earlier attempt had taken effect already. */
  wasRepeated: boolean;
  /** The id in the answer. */
  id: string | null;
  /** A later write with the same slot replaces it. */
  slot: string | null;
}

/** The queries that find the stored writes of each kind: one row per stored copy of a mark. */
const stored: Record<Kind, string> = {
  draft: 'select subject as mark from mail_messages where subject = any($1)',
  autosave: 'select subject as mark from mail_messages where subject = any($1)',
  'trader message': `select body as mark from ticket_messages where from_kind = 'trader' and body = any($1)`,
  reply: `select body as mark from ticket_messages where from_kind = 'admin' and body = any($1)`,
  'AI command': `select substr(body, 5) as mark from ticket_messages
    where event = 'ai_command' and substr(body, 5) = any($1)`,
  notification: 'select title as mark from notifications where title = any($1)',
  'mark read': 'select id::text as mark from notifications where read_at is not null and id::text = any($1)',
  device: 'select device_token as mark from devices where device_token = any($1)',
  mail: 'select subject as mark from mail_messages where subject = any($1)',
};

export interface Differences {
  lost: string[];
  duplicated: string[];
}

/** The writes and their acknowledgements, which are finally compared with the database. */
export class Ledger {
  round = 0;
  readonly #writes: Write[] = [];
  readonly #latest = new Map<string, Write>();

  /** Records a write that is about to be sent. */
  add(kind: Kind, mark: string, slot: string | null = null): Write {
    const write = {
      kind,
      mark,
      round: this.round,
      isAcknowledged: false,
      wasRepeated: false,
      id: null,
      slot,
    };
    this.#writes.push(write);
    if (slot !== null) this.#latest.set(slot, write);
    return write;
  }

  of(round: number, kind: Kind): Write[] {
    return this.#writes.filter((write) => write.round === round && write.kind === kind);
  }

  acknowledged(round: number): number {
    return this.#writes.filter((write) => write.round === round && write.isAcknowledged).length;
  }

  /** Returns the acknowledged writes that are not stored, and all writes that are stored more than once. */
  async compare(pool: Pool, round: number): Promise<Differences> {
    const differences: Differences = { lost: [], duplicated: [] };
    for (const kind of Object.keys(stored) as Kind[]) {
      const writes = this.of(round, kind);
      const { rows } = await pool.query<{ mark: string }>(stored[kind], [writes.map(({ mark }) => mark)]);
      const found = Map.groupBy(rows, ({ mark }) => mark);
      for (const write of writes) {
        const count = found.get(write.mark)?.length ?? 0;
        const isReplaced = write.slot !== null && this.#latest.get(write.slot) !== write;
        if (count === 0 && write.isAcknowledged && !isReplaced) differences.lost.push(nameOf(write));
        if (count > 1 || write.wasRepeated) differences.duplicated.push(nameOf(write));
      }
    }
    return differences;
  }
}

export function nameOf({ kind, mark }: Write): string {
  return `${kind} ${mark}`;
}
