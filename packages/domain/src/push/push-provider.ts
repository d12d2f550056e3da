import type { BrowserKeys, DeviceApp, PushEnvironment } from '@firmdesk/contract';
import type { Log } from '../platform/process/log.ts';

/** One push to one device. */
interface AnyPush {
  /** A UUID, the same for every attempt. */
  id: string;
  environment: PushEnvironment;
  /** In hexadecimal, or the URL of a browser's subscription. Never logged. */
  deviceToken: string;
  /** JSON, at most 4,096 bytes. */
  payload: string;
  /** Not shown after this time. */
  expiresAt: Date;
  /** At most 64 bytes. A push replaces an earlier one with the same collapse id on the phone. */
  collapseId: string;
}

export interface Push extends AnyPush {
  app: DeviceApp;
}

export interface BrowserPush extends AnyPush {
  app: 'browser';
  /** The id of the account that has registered the browser. */
  account: string;
  keys: BrowserKeys;
}

/**
 * The outcome of one attempt.
 *
 * - `retry`: a transient failure. If `afterMs` is not null, do not retry earlier.
 * - `gone`: the device token has been invalid since this time (null: it was never a token of this environment).
 * - `refused`: a permanent failure.
 * - `unsent`: no provider is configured.
 */
export type PushOutcome =
  | { status: 'sent' }
  | { status: 'retry'; reason: string; afterMs: number | null }
  | { status: 'gone'; reason: string; since: Date | null }
  | { status: 'refused'; reason: string }
  | { status: 'unsent'; reason: string };

/** A group of pushes that is paused together: all of an environment (its credentials), or those of one app in it (its topic). */
export interface PushPause {
  environment: PushEnvironment;
  scope: 'credentials' | DeviceApp;
  /** The remaining pause in ms; 0 if it is not paused. */
  remainingMs: number;
}

/** A push service. `send` never throws. */
export interface PushProvider {
  send(push: Push): Promise<PushOutcome>;
  pauses(): PushPause[];
  close(): Promise<void>;
}

/** Sends pushes to browsers. `send` never throws. */
export interface BrowserPushProvider {
  /** The `applicationServerKey` of subscriptions. */
  readonly publicKey: string;
  /** Returns the URL of a subscription in its normal form. Throws `validation_failed` for one to which nothing is sent. */
  checkEndpoint(endpoint: string): string;
  send(push: BrowserPush): Promise<PushOutcome>;
}

declare module '../platform/services.ts' {
  interface Services {
    /** Sends pushes to phones. */
    push: PushProvider;
    /** Null: the installation sends none to browsers. */
    browserPush: BrowserPushProvider | null;
  }
}

/** Returns the provider that is used if none is configured: pushes are only recorded in the outbox. */
export function disabledProvider(log: Log): PushProvider {
  return {
    async send({ id, app }) {
      log.info({ push: id, app }, 'push is not configured: recorded, not sent');
      return { status: 'unsent', reason: 'not_set_up' };
    },
    pauses: () => [],
    async close() {},
  };
}
