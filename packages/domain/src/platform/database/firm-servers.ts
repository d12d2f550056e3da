import type { Pool } from 'pg';

/** A statement on the rows of all firms. */
export interface AllFirmsRead {
  /** Set for a frequent statement: each connection then plans it once. */
  name?: string;
  /**
   * Returns the text. `isAmong` returns the condition that a column with a firm's id must meet, and is called for each firm's table of the
   * statement: Citus finds the server by these conditions.
   */
  text: (isAmong: (column: string) => string) => string;
  values?: readonly unknown[];
}

/** The servers on which the rows of firms are, as one pool reaches them. */
export interface FirmServers {
  readonly pool: Pool;
  /** Whether there are several. Then a transaction on a firm's rows commits on two servers if it also writes those of no firm. */
  readonly isDistributed: boolean;
  /** Runs work on the rows of one firm, or of none. Rejects with a transient error if the firm's server is silent. */
  run<T>(firm: number | null, work: () => Promise<T>): Promise<T>;
  /**
   * Reads rows of all firms. If one of several servers is lost or silent, returns the rows of the firms on the others, so that it stops only
   * its own firms. Rejects if no server answers.
   */
  readAll<Row extends object>(read: AllFirmsRead): Promise<Row[]>;
  /** The same servers, as another pool reaches them. */
  through(pool: Pool): FirmServers;
}

/** One PostgreSQL server has the rows of all firms. */
export function oneServer(pool: Pool): FirmServers {
  return {
    pool,
    isDistributed: false,
    run: (_firm, work) => work(),
    readAll: async <Row extends object>({ text, values = [], ...named }: AllFirmsRead) =>
      (
        await pool.query<Row & Record<string, unknown>>({
          ...named,
          text: text(() => 'true'),
          values: [...values],
        })
      ).rows,
    through: oneServer,
  };
}
