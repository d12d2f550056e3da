import { createHash } from 'node:crypto';
import { MAX_BROWSERS } from '@firmdesk/contract';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import {
  guardedRequest,
  OutboundError,
  type OutboundNetwork,
} from '../../platform/outbound/guarded-request.ts';
import { checkServerUrl, networkOf } from '../../platform/outbound/named-server.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { Breaker } from '../breaker.ts';
import type { BrowserReason } from '../push-metrics.ts';
import type { BrowserPush, BrowserPushProvider, PushOutcome } from '../push-provider.ts';
import { parseRetryAfter } from '../retry-after.ts';
import { seal } from './seal.ts';
import { readVapidKey, type VapidKey, vapidHeader } from './vapid.ts';

interface BrowserPushOptions {
  /** Returns the private key in PEM. */
  readKey: () => Promise<string>;
  /** The URL of the console. */
  publicUrl: () => string;
  clock: Clock;
  /** How long to wait for an answer (4 s). */
  requestTimeoutMs?: number;
  /** Whether push services may be on this machine, also without TLS: for tests (no). */
  allowsLoopback?: boolean;
  /** What tests replace: how names are looked up. */
  lookup?: OutboundNetwork['lookup'];
}

/*
 * A push is leased for 20 s, and begun in the first half of them. So the wait for a turn and the request together take less than 10 s.
 */
const REQUEST_TIMEOUT_MS = 4_000;
const MAX_WAIT_MS = 4_000;
const CONCURRENT_REQUESTS = 100;
/** Further pushes are tried later: those that wait hold places that pushes to phones need. */
const MAX_WAITING = 400;
/** The pushes of one account at once: one to each of its browsers. */
const CONCURRENT_OF_ACCOUNT = MAX_BROWSERS;

/** After this many consecutive failures of a push service, nothing is sent to it for a minute: others do not wait for it. */
const MAX_FAILURES = 5;
const PAUSE_MS = 60_000;
/** The push services whose failures are counted: those used last. */
const MAX_SERVICES = 1_000;

/**
 * Sends pushes to browsers, by the push service that each subscription names (RFC 8030). Any account can name any server, so all
 * requests are guarded, a server that does not answer holds up no other, and an account takes its share of the requests.
 */
export class ReloadableBrowserPush implements BrowserPushProvider {
  readonly #options: BrowserPushOptions;
  #key: VapidKey;
  readonly #limit = pLimit(CONCURRENT_REQUESTS);
  /** The pushes that are sent or wait for their turn, by account. */
  readonly #running = new Map<string, number>();
  readonly #breakers = new LRUCache<string, Breaker>({ max: MAX_SERVICES });

  private constructor(options: BrowserPushOptions, key: VapidKey) {
    this.#options = options;
    this.#key = key;
  }

  /** Throws if the key is invalid. */
  static async open(options: BrowserPushOptions): Promise<ReloadableBrowserPush> {
    return new ReloadableBrowserPush(options, readVapidKey(await options.readKey()));
  }

  /** Signs further pushes with the key that the file has now. Subscriptions for the last one are refused by their push services. */
  async reload(): Promise<void> {
    this.#key = readVapidKey(await this.#options.readKey());
  }

  get publicKey(): string {
    return this.#key.publicKey;
  }

  checkEndpoint(endpoint: string): string {
    return checkServerUrl(endpoint, {
      field: 'endpoint',
      authentication: 'pushes are signed',
      example: 'https://push.example.com/v1/subscription',
      allowsLoopback: this.#options.allowsLoopback ?? false,
    });
  }

  async send(push: BrowserPush): Promise<PushOutcome> {
    const running = this.#running.get(push.account) ?? 0;
    if (running >= CONCURRENT_OF_ACCOUNT) return retry('busy');
    this.#running.set(push.account, running + 1);
    try {
      return await this.#sendInTurn(push);
    } finally {
      const others = this.#running.get(push.account)! - 1;
      if (others > 0) this.#running.set(push.account, others);
      else this.#running.delete(push.account);
    }
  }

  async #sendInTurn(push: BrowserPush): Promise<PushOutcome> {
    if (this.#limit.pendingCount >= MAX_WAITING) return retry('busy');
    const startBy = performance.now() + MAX_WAIT_MS;
    return this.#limit(async () => {
      if (performance.now() > startBy) return retry('busy');
      const url = new URL(push.deviceToken);
      const breaker = this.#breakerOf(url.origin);
      const pausedMs = breaker.remainingMs();
      if (pausedMs > 0) return { status: 'retry', reason: 'held', afterMs: pausedMs };
      return this.#post(url, push, breaker);
    });
  }

  #breakerOf(origin: string): Breaker {
    const breaker = this.#breakers.get(origin) ?? new Breaker(this.#options.clock, MAX_FAILURES);
    this.#breakers.set(origin, breaker);
    return breaker;
  }

  async #post(url: URL, push: BrowserPush, breaker: Breaker): Promise<PushOutcome> {
    const { lookup, requestTimeoutMs = REQUEST_TIMEOUT_MS } = this.#options;
    try {
      const answer = await guardedRequest(
        url,
        {
          method: 'POST',
          headers: this.#headers(url, push),
          body: seal(push.payload, push.keys),
          signal: AbortSignal.timeout(requestTimeoutMs),
        },
        {
          ...networkOf({ allowsLoopback: this.#options.allowsLoopback ?? false }),
          ...(lookup && { lookup }),
        },
      );
      // Nothing of the body is used.
      answer.destroy();
      const outcome = outcomeOf(answer.statusCode ?? 0, answer.headers['retry-after'] ?? null);
      if (outcome.status === 'retry' && outcome.reason === 'unavailable') breaker.fail(PAUSE_MS, false);
      else breaker.succeed();
      return outcome;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      breaker.fail(PAUSE_MS, false);
      return { status: 'retry', reason: 'no_answer', afterMs: null };
    }
  }

  #headers({ origin }: URL, { collapseId, expiresAt }: BrowserPush): Record<string, string> {
    const now = this.#options.clock.now();
    const publicUrl = this.#options.publicUrl();
    const contact = publicUrl.startsWith('https:') ? publicUrl : null;
    return {
      'Content-Encoding': 'aes128gcm',
      'Content-Type': 'application/octet-stream',
      TTL: String(Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1000))),
      Urgency: 'high',
      // At most 32 characters (RFC 8030 §5.4). A push replaces an earlier one with the same topic that was not delivered yet.
      Topic: createHash('sha256').update(collapseId).digest('base64url').slice(0, 32),
      Authorization: vapidHeader(this.#key, { origin, contact, now }),
    };
  }
}

function outcomeOf(status: number, retryAfter: string | null): PushOutcome {
  if (status >= 200 && status < 300) return { status: 'sent' };
  if (status === 404 || status === 410) {
    const reason: BrowserReason = 'gone_subscription';
    return { status: 'gone', reason, since: null };
  }
  const afterMs = parseRetryAfter(retryAfter);
  if (status === 408 || status === 429) return retry('too_many', afterMs);
  if (status >= 500) return retry('unavailable', afterMs);
  const reason: BrowserReason = status === 401 || status === 403 ? 'unauthorized' : 'rejected';
  return { status: 'refused', reason };
}

function retry(reason: BrowserReason, afterMs: number | null = null): PushOutcome {
  return { status: 'retry', reason, afterMs };
}
