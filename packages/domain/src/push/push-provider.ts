import type { DeviceApp, PushEnvironment } from '@firmdesk/contract';
import type { Log } from '../platform/log.ts';

/** One notification to one device. */
export interface Push {
  /** A UUID: the same at every try. */
  id: string;
  app: DeviceApp;
  environment: PushEnvironment;
  /** In hexadecimal. Never logged. */
  deviceToken: string;
  /** JSON, at most 4,096 bytes. */
  payload: string;
  /** Not shown after this moment. */
  expiresAt: Date;
  /** At most 64 bytes. The phone shows one notification with an id: a repeat, or a later one, replaces the earlier one. */
  collapseId: string;
}

/**
 * What became of one try.
 *
 * - `retry`: not now; not before `afterMs`, if the provider named a pause.
 * - `gone`: the device's token has been invalid since then (null: it is no token of this environment at all).
 * - `refused`: it would be refused again.
 * - `unsent`: there is no provider.
 */
export type PushOutcome =
  | { status: 'sent' }
  | { status: 'retry'; reason: string; afterMs: number | null }
  | { status: 'gone'; reason: string; since: Date | null }
  | { status: 'refused'; reason: string }
  | { status: 'unsent'; reason: string };

/** What a provider may hold back: an environment's credentials, or one app's topic in it. */
export interface PushLane {
  environment: PushEnvironment;
  lane: 'credentials' | DeviceApp;
  /** For how long still, in ms; 0 when it is open. */
  remainingMs: number;
}

/** A push service. `send` answers each try and does not throw. */
export interface PushProvider {
  send(push: Push): Promise<PushOutcome>;
  lanes(): PushLane[];
  close(): Promise<void>;
}

declare module '../platform/services.ts' {
  interface Services {
    /** Reaches phones. */
    push: PushProvider;
  }
}

/** In place of a provider that is not set up: what would have been sent stays in the outbox. */
export function disabledProvider(log: Log): PushProvider {
  return {
    async send({ id, app }) {
      log.info({ push: id, app }, 'push is not set up: recorded, not sent');
      return { status: 'unsent', reason: 'not_set_up' };
    },
    lanes: () => [],
    async close() {},
  };
}
