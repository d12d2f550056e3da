import type { DeviceApp, PushEnvironment } from '@firmdesk/contract';
import type { UnsentReason } from './unsent-reminders.ts';

export type AttemptResult = 'delivered' | 'failed' | 'dropped' | 'retried';

/** The result of an attempt to send a push. All values become metric labels, so their number is bounded. */
export interface PushAttempt {
  app: DeviceApp;
  /** `unknown` if the device is no longer registered. */
  environment: PushEnvironment | 'unknown';
  result: AttemptResult;
  reason: string;
}

/** The result of a due reminder: queued, or the reason why it is not sent. */
export interface ReminderResult {
  channel: 'push' | 'email' | 'other';
  result: 'queued' | UnsentReason;
}

/** The push measurements of this process. */
export interface PushMetrics {
  /** Requests to the provider without a response yet. */
  readonly inFlight: number;
  /** Callbacks for each attempt, each response of the provider with its duration, and due reminders. Default: no-op. */
  onAttempt: (attempt: PushAttempt) => void;
  onResponse: (app: DeviceApp, environment: PushEnvironment, seconds: number) => void;
  onReminders: (result: ReminderResult, count: number) => void;
  /** Measures one request to the provider. */
  measure<T>(app: DeviceApp, environment: PushEnvironment, request: () => Promise<T>): Promise<T>;
}

declare module '../platform/services.ts' {
  interface Services {
    pushMetrics: PushMetrics;
  }
}

export function createPushMetrics(): PushMetrics {
  let inFlight = 0;
  const metrics: PushMetrics = {
    get inFlight() {
      return inFlight;
    },
    onAttempt() {},
    onResponse() {},
    onReminders() {},
    async measure(app, environment, request) {
      const started = performance.now();
      inFlight++;
      try {
        return await request();
      } finally {
        inFlight--;
        metrics.onResponse(app, environment, (performance.now() - started) / 1_000);
      }
    },
  };
  return metrics;
}

/** Apple's reasons and ours. All others count as `other`. */
const knownReasons = new Set([
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

/** Returns the metric label of a reason. */
export function reasonLabel(reason: string | null): string {
  if (reason === null) return 'none';
  // The library's message when the provider does not respond.
  if (reason.startsWith('apn write ')) return 'no_answer';
  return knownReasons.has(reason) ? reason : 'other';
}
