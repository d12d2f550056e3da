import type { DeviceApp, PushEnvironment } from '@firmdesk/contract';
import type { UnsentReason } from './unsent-reminders.ts';

export type AttemptResult = 'delivered' | 'failed' | 'dropped' | 'retried';

/** What became of a notification when a sender had it, in words of bounded number: they become labels. */
export interface PushAttempt {
  app: DeviceApp;
  /** `unknown` when the device is gone. */
  environment: PushEnvironment | 'unknown';
  result: AttemptResult;
  reason: string;
}

/** What became of a reminder that was due: it went to the outbox, or is not sent for this reason. */
export interface ReminderResult {
  channel: 'push' | 'email' | 'other';
  result: 'queued' | UnsentReason;
}

/** What a process that sends makes known of it. */
export interface PushMetrics {
  /** Notifications that the provider has not answered yet. */
  readonly inFlight: number;
  /** Hears of each notification, and of the seconds that the provider took to answer. Nobody is heard by default. */
  onAttempt: (tried: PushAttempt) => void;
  onResponse: (app: DeviceApp, environment: PushEnvironment, seconds: number) => void;
  onReminders: (result: ReminderResult, count: number) => void;
  /** Runs one question to the provider. */
  measure<T>(app: DeviceApp, environment: PushEnvironment, ask: () => Promise<T>): Promise<T>;
}

declare module '../platform/services.ts' {
  interface Services {
    pushMetrics: PushMetrics;
  }
}

export function createPushMetrics(): PushMetrics {
  let inFlight = 0;
  const meter: PushMetrics = {
    get inFlight() {
      return inFlight;
    },
    onAttempt() {},
    onResponse() {},
    onReminders() {},
    async measure(app, environment, ask) {
      const started = performance.now();
      inFlight++;
      try {
        return await ask();
      } finally {
        inFlight--;
        meter.onResponse(app, environment, (performance.now() - started) / 1_000);
      }
    },
  };
  return meter;
}

/** Apple's table of reasons, and ours; whatever else a provider says counts as `other`. */
const known = new Set([
  ...[
    'BadCollapseId',
    'BadDeviceToken',
    'BadExpirationDate',
    'BadMessageId',
    'BadPath',
    'BadPriority',
    'BadTopic',
  ],
  ...['DeviceTokenNotForTopic', 'DuplicateHeaders', 'ExpiredProviderToken', 'ExpiredToken', 'Forbidden'],
  ...['IdleTimeout', 'InternalServerError', 'InvalidProviderToken', 'InvalidPushType', 'MethodNotAllowed'],
  ...['MissingDeviceToken', 'MissingProviderToken', 'MissingTopic', 'PayloadEmpty', 'PayloadTooLarge'],
  ...['ServiceUnavailable', 'Shutdown', 'TooManyProviderTokenUpdates', 'TooManyRequests', 'TopicDisallowed'],
  'Unregistered',
  ...['gone', 'held', 'moved', 'muted', 'no_admin', 'no_answer', 'no_device', 'no_permission', 'no_scope'],
  ...[
    'not_in_inbox',
    'not_in_reach',
    'not_readable',
    'not_set_up',
    'own',
    'session_ended',
    'too_late',
    'too_much_work',
    'unwritable',
  ],
]);

export function reasonLabel(reason: string | null): string {
  if (reason === null) return 'none';
  // As the client says that the provider did not.
  if (reason.startsWith('apn write ')) return 'no_answer';
  return known.has(reason) ? reason : 'other';
}
