import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';

/** A process reads the secret again after this time, so that it signs with the current one. */
const FRESH_MS = 60_000;
/** The minimum time between two reads because of a signature that is not valid. */
const REREAD_MS = 1_000;
/** The minimum time between two rotations: by then all processes sign with the new secret. */
export const ROTATE_AFTER_MINUTES = 5;

interface Secrets {
  /** The current secret, and the one before it. */
  secrets: Promise<readonly KeyObject[]>;
  readAt: number;
}

/** The secret of the installation, which all its processes share. */
export class InstallationSecret {
  readonly #pool: Pool;
  #known: Secrets | null = null;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Returns the secret with which this installation signs. */
  async current(): Promise<KeyObject> {
    return (await this.#read(FRESH_MS))[0]!;
  }

  /**
   * Verifies a signature with the current secret and the one before it. `verify` returns null if a secret does not fit. A signature
   * that no known secret fits may be by a newer one, so the secrets are then read again, at most once a second.
   */
  async verify<T>(verify: (secret: KeyObject) => T | null): Promise<T | null> {
    for (const maxAgeMs of [FRESH_MS, REREAD_MS]) {
      for (const secret of await this.#read(maxAgeMs)) {
        const result = verify(secret);
        if (result !== null) return result;
      }
    }
    return null;
  }

  #read(maxAgeMs: number): Promise<readonly KeyObject[]> {
    if (this.#known && performance.now() - this.#known.readAt <= maxAgeMs) return this.#known.secrets;
    // As key objects: a signature with a buffer takes four times as long.
    const secrets = this.#pool
      .query<{ secret: Buffer; previous_secret: Buffer | null }>(
        'select secret, previous_secret from installation',
      )
      .then(({ rows: [row] }) =>
        [row!.secret, row!.previous_secret]
          .filter((secret) => secret !== null)
          .map((secret) => createSecretKey(secret)),
      );
    const reading = { secrets, readAt: performance.now() };
    this.#known = reading;
    // Not kept after a failure: the database may answer later.
    secrets.catch(() => {
      if (this.#known === reading) this.#known = null;
    });
    return secrets;
  }

  /**
   * Replaces the secret. What the previous one signed stays valid until the next rotation. Returns false if the last rotation was less
   * than {@link ROTATE_AFTER_MINUTES} ago.
   */
  async rotate(): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `update installation set previous_secret = secret, secret = $1, rotated_at = now()
       where rotated_at is null or rotated_at < now() - $2 * interval '1 minute'`,
      [randomBytes(32), ROTATE_AFTER_MINUTES],
    );
    return rowCount === 1;
  }
}
