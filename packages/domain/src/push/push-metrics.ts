import type { PushApp, PushEnvironment } from '@firmdesk/contract';
import { dropReasons } from './drop-reasons.ts';
import type { UnsentReason } from './reminders/unsent-reminders.ts';

/** The result of an attempt, as a metric label. */
export type AttemptResult = 'delivered' | 'failed' | 'dropped' | 'retried';

/** The result of an attempt to send a push. All values become metric labels, so their number is bounded. */
export interface PushAttempt {
  app: PushApp;
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

/** Measures the pushes of this process. */
export interface PushMetrics {
  /** Requests to the provider without a response yet. */
  readonly inFlight: number;
  // The callbacks do nothing by default.
  onAttempt: (attempt: PushAttempt) => void;
  /** `seconds` is the duration of the request, also of one that failed. */
  onResponse: (app: PushApp, environment: PushEnvironment, seconds: number) => void;
  /** `count` reminders that were due had this result. */
  onReminders: (result: ReminderResult, count: number) => void;
  /** Measures one request to the provider. */
  measure<T>(app: PushApp, environment: PushEnvironment, request: () => Promise<T>): Promise<T>;
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

/** The reasons of Apple's push service. */
const appleReasons = [
  'BadCollapseId',
  'BadDeviceToken',
  'BadExpirationDate',
  'BadMessageId',
  'BadPath',
  'BadPriority',
  'BadTopic',
  'DeviceTokenNotForTopic',
  'DuplicateHeaders',
  'ExpiredProviderToken',
  'ExpiredToken',
  'Forbidden',
  'IdleTimeout',
  'InternalServerError',
  'InvalidProviderToken',
  'InvalidPushType',
  'MethodNotAllowed',
  'MissingDeviceToken',
  'MissingProviderToken',
  'MissingTopic',
  'PayloadEmpty',
  'PayloadTooLarge',
  'ServiceUnavailable',
  'Shutdown',
  'TooManyProviderTokenUpdates',
  'TooManyRequests',
  'TopicDisallowed',
  'Unregistered',
];
/** The reasons of pushes to browsers. */
const browserReasons = [
  'busy',
  'gone_subscription',
  'rejected',
  'too_many',
  'unauthorized',
  'unavailable',
] as const;
export type BrowserReason = (typeof browserReasons)[number];
/** Our own reasons: a pause, no response, no configuration, and a push of a sandbox. */
const providerReasons = ['held', 'no_answer', 'not_set_up', 'test'];
const knownReasons: ReadonlySet<string> = new Set([
  ...appleReasons,
  ...browserReasons,
  ...providerReasons,
  ...dropReasons,
]);

/** Returns the metric label of a reason. Unknown reasons count as `other`, so that the number of labels is bounded. */
export function reasonLabel(reason: string | null): string {
  if (reason === null) return 'none';
  // The library's message when the provider does not respond.
  if (reason.startsWith('apn write ')) return 'no_answer';
  return knownReasons.has(reason) ? reason : 'other';
}
