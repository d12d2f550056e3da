import { createPrivateKey } from 'node:crypto';
import { type DeviceApp, type PushEnvironment, pushEnvironments } from '@firmdesk/contract';
import apn from 'apn';
import type { Clock } from '../../platform/process/clock.ts';
import type { Log } from '../../platform/process/log.ts';
import { Breaker } from '../breaker.ts';
import type { Push, PushOutcome, PushPause, PushProvider } from '../push-provider.ts';
import { ApnsConnection, type ApnsCredentials, type ApnsResponse } from './apns-connection.ts';

export interface ApnsOptions extends ApnsCredentials {
  /** The bundle id of each app. */
  topics: Record<DeviceApp, string>;
  /** The server of each environment. */
  urls: Record<PushEnvironment, string>;
  /** How long to wait for a response (5 s). */
  requestTimeoutMs?: number;
  clock: Clock;
  log: Log;
}

/** How long pushes are paused after the provider rejects the credentials or a topic. */
const PAUSE_MS = 5 * 60_000;
/** After this many consecutive `DeviceTokenNotForTopic` errors, the topic itself is assumed to be wrong. */
const MAX_TOPIC_MISMATCHES = 5;
/** Errors of the topic, independent of the device. */
const TOPIC_REASONS = new Set(['TopicDisallowed', 'BadTopic', 'MissingTopic']);

/** Creates the provider for Apple's push service, with one connection per environment. Throws if the key is invalid. */
export function createApnsProvider(options: ApnsOptions): PushProvider {
  const { clock, log, topics } = options;
  // Fails at startup instead of at the first push.
  if (createPrivateKey(options.key).asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new TypeError('The push key must be a private key on the curve P-256.');
  }
  const newBreaker = () => new Breaker(clock, MAX_TOPIC_MISMATCHES);
  const open = (environment: PushEnvironment) => ({
    connection: new ApnsConnection(options.urls[environment], environment, options),
    credentials: newBreaker(),
    topics: { mail: newBreaker(), calendar: newBreaker(), admin: newBreaker() },
  });
  const environments = { production: open('production'), sandbox: open('sandbox') };

  /** Counts an error of the configuration, and logs it if it starts a pause. Registrations are kept. */
  const countFailure = (
    breaker: Breaker,
    { app, environment }: Push,
    reason: string,
    { isCertain = true, pauseMs = PAUSE_MS } = {},
  ): void => {
    if (!breaker.fail(pauseMs, isCertain)) return;
    log.error(
      { app, environment, reason, pause_ms: pauseMs },
      'push is paused: the provider rejects its configuration',
    );
  };

  return {
    async send(push): Promise<PushOutcome> {
      const { connection, credentials, topics: topicBreakers } = environments[push.environment];
      const topic = topicBreakers[push.app];
      const pausedMs = Math.max(credentials.remainingMs(), topic.remainingMs());
      if (pausedMs > 0) return { status: 'retry', reason: 'held', afterMs: pausedMs };

      const answer = await connection.send(notificationOf(push, topics[push.app]), push.deviceToken);
      const { status, reason, retryAfterMs } = answer;
      if (status === 200) {
        credentials.succeed();
        topic.succeed();
        return { status: 'sent' };
      }
      if (status === 410) return { status: 'gone', reason, since: answer.since ?? clock.now() };
      if (reason === 'BadDeviceToken') return { status: 'gone', reason, since: null };
      if (reason === 'DeviceTokenNotForTopic') {
        countFailure(topic, push, reason, { isCertain: false });
        return { status: 'refused', reason };
      }
      if (TOPIC_REASONS.has(reason)) {
        countFailure(topic, push, reason);
        return { status: 'retry', reason, afterMs: topic.remainingMs() };
      }
      // The library has created a new token already.
      if (reason === 'ExpiredProviderToken') return { status: 'retry', reason, afterMs: null };
      if (status === 403 || reason === 'TooManyProviderTokenUpdates') {
        countFailure(credentials, push, reason, { pauseMs: Math.max(retryAfterMs ?? 0, PAUSE_MS) });
        return { status: 'retry', reason, afterMs: credentials.remainingMs() };
      }
      if (isTransient(answer)) return { status: 'retry', reason, afterMs: retryAfterMs };
      return { status: 'refused', reason };
    },
    pauses() {
      return pushEnvironments.flatMap((environment) => {
        const { credentials, topics } = environments[environment];
        return Object.entries({ credentials, ...topics }).map(([scope, breaker]) => ({
          environment,
          scope: scope as PushPause['scope'],
          remainingMs: breaker.remainingMs(),
        }));
      });
    },
    async close() {
      await Promise.all(Object.values(environments).map(({ connection }) => connection.close()));
    },
  };
}

/** Returns whether the same push may succeed later. */
function isTransient({ status }: ApnsResponse): boolean {
  return status === null || status === 408 || status === 429 || status >= 500;
}

function notificationOf(push: Push, topic: string): apn.Notification {
  const notification = new apn.Notification();
  notification.id = push.id;
  notification.topic = topic;
  notification.pushType = 'alert';
  notification.priority = 10;
  notification.expiry = Math.floor(push.expiresAt.getTime() / 1000);
  notification.collapseId = push.collapseId;
  notification.rawPayload = JSON.parse(push.payload);
  return notification;
}
