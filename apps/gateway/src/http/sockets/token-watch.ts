import {
  ApiError,
  readChangedTokens,
  readTokenRights,
  rightsOfTokens,
  type Services,
  type TokenRights,
} from '@firmdesk/domain';
import { closeCodes } from './close-codes.ts';

/** The interval at which changed tokens are read. */
export const LOOK_MS = 500;
/** The time within which every token is read once, also if nothing says that it has changed. */
const FULL_CHECK_MS = 60_000;

/** A connection that is closed when its token ends. */
export interface Closable {
  close(code: number, reason: string): void;
}

/** A token, its connections, and its rights when they opened; null while these are read. */
interface Watched<Connection> {
  rights: TokenRights | null;
  connections: Set<Connection>;
}

/**
 * Closes the connections whose token has ended or whose rights have changed. It reads only what it must: the tokens that
 * the database names as changed, those that have expired, and a few others in turn, for changes that are made by hand.
 */
export class TokenWatch<Connection extends Closable> {
  readonly #services: Services;
  readonly #rightsOf: ReturnType<typeof rightsOfTokens>;
  readonly #fullCheckMs: number;
  readonly #watched = new Map<string, Watched<Connection>>();
  readonly #tokenOf = new Map<Connection, string>();
  /** Where the next read of changed tokens continues; null before the first, and after one that failed. */
  #through: string | null = null;
  /** The earliest time at which a token expires, in milliseconds. */
  #nextEnd = Number.POSITIVE_INFINITY;
  /** Tokens that changed while their rights were read. */
  #early = new Set<string>();
  #turn: Iterator<string>;
  #isLooking = false;

  constructor(services: Services, fullCheckMs = FULL_CHECK_MS) {
    this.#services = services;
    this.#rightsOf = rightsOfTokens(services.pool);
    this.#fullCheckMs = fullCheckMs;
    this.#turn = this.#watched.keys();
  }

  /** Returns the number of connections of a token. */
  count(tokenId: string): number {
    return this.#watched.get(tokenId)?.connections.size ?? 0;
  }

  /** Watches the token of a connection until `delete`. Returns false if the token has ended. Throws `workspace_not_permitted` if its firm is suspended. */
  async add(connection: Connection, tokenId: string): Promise<boolean> {
    const watched = this.#watched.get(tokenId) ?? { rights: null, connections: new Set() };
    // The token is watched before its rights are read, so that no change between the two is missed.
    this.#watched.set(tokenId, watched);
    watched.connections.add(connection);
    this.#tokenOf.set(connection, tokenId);
    const rights = await this.#rightsOf(tokenId, this.#services.clock.now());
    if (!rights) return false;
    if (rights.isSuspended) throw new ApiError('workspace_not_permitted');
    watched.rights ??= rights;
    this.#nextEnd = Math.min(this.#nextEnd, watched.rights.endsAt.getTime());
    return true;
  }

  delete(connection: Connection): void {
    const tokenId = this.#tokenOf.get(connection);
    const watched = tokenId === undefined ? undefined : this.#watched.get(tokenId);
    if (!watched) return;
    this.#tokenOf.delete(connection);
    watched.connections.delete(connection);
    if (watched.connections.size === 0) this.#watched.delete(tokenId!);
  }

  /** Closes the connections whose token has ended or changed. Called at every interval of {@link LOOK_MS}. */
  async look(): Promise<void> {
    if (this.#isLooking || this.#watched.size === 0) return;
    this.#isLooking = true;
    try {
      const { pool, clock } = this.#services;
      const { ids, through } = await readChangedTokens(pool, this.#through);
      // After a failover, the database can continue with lower transaction ids.
      const isContinued = this.#through !== null && BigInt(through) >= BigInt(this.#through);
      const now = clock.now();
      const asked = isContinued ? this.#suspects(ids, now) : [...this.#watched.keys()];
      this.#closeChanged(asked, await readTokenRights(pool, asked, now));
      this.#through = through;
    } catch (error) {
      this.#through = null;
      // The next look checks all tokens, and each call checks its token itself.
      this.#services.log.warn({ err: error }, 'the tokens of open sockets could not be checked');
    } finally {
      this.#isLooking = false;
    }
  }

  /** Returns the tokens to read: those that changed or have expired, and the next in turn. */
  #suspects(changed: readonly string[], now: Date): string[] {
    const suspects = new Set<string>();
    for (const id of [...changed, ...this.#early]) if (this.#watched.has(id)) suspects.add(id);
    this.#early.clear();
    for (const id of this.#expired(now)) suspects.add(id);
    const share = Math.ceil((this.#watched.size * LOOK_MS) / this.#fullCheckMs);
    for (let n = 0; n < share; n++) {
      const next = this.#turn.next();
      if (next.done) this.#turn = this.#watched.keys();
      else suspects.add(next.value);
    }
    return [...suspects];
  }

  /** Returns the tokens that have expired, unless they were used in the meantime. */
  #expired(now: Date): string[] {
    if (now.getTime() < this.#nextEnd) return [];
    this.#nextEnd = Number.POSITIVE_INFINITY;
    const expired: string[] = [];
    for (const [id, { rights }] of this.#watched) {
      if (!rights) continue;
      this.#nextEnd = Math.min(this.#nextEnd, rights.endsAt.getTime());
      if (rights.endsAt <= now) expired.push(id);
    }
    return expired;
  }

  #closeChanged(asked: readonly string[], current: ReadonlyMap<string, TokenRights>): void {
    for (const id of asked) {
      const watched = this.#watched.get(id);
      const rights = current.get(id);
      if (!watched) continue;
      if (!watched.rights) this.#early.add(id);
      else if (!rights) this.#close(watched, closeCodes.unauthenticated, 'the token has ended');
      else if (rights.fingerprint !== watched.rights.fingerprint)
        this.#close(watched, closeCodes.restart, 'the rights of the token have changed');
      else watched.rights = rights;
    }
  }

  /** Closes the connections of a token, each once. */
  #close({ connections }: Watched<Connection>, code: number, reason: string): void {
    for (const connection of [...connections]) {
      this.delete(connection);
      connection.close(code, reason);
    }
  }
}
