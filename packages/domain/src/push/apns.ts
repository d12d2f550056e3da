import { createPrivateKey } from 'node:crypto';
import { type DeviceApp, type PushEnvironment, pushEnvironments } from '@firmdesk/contract';
import apn from 'apn';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { type ApnsAnswer, ApnsConnection, type ApnsCredentials } from './apns-connection.ts';
import { Breaker } from './breaker.ts';
import type { Push, PushLane, PushOutcome, PushProvider } from './push-provider.ts';

export interface ApnsOptions extends ApnsCredentials {
  /** An app's bundle id. */
  topics: Record<DeviceApp, string>;
  /** Where each environment is served. */
  urls: Record<PushEnvironment, string>;
  /** What to wait for an answer (5 s). */
  requestTimeoutMs?: number;
  clock: Clock;
  log: Log;
}

const PAUSE_MS = 5 * 60_000;
/** Devices in a row that were not of their app's topic, before the topic itself is in doubt. */
const FOREIGN_DEVICES = 5;
/** Refusals of a topic, whatever the device. */
const TOPIC_REASONS = new Set(['TopicDisallowed', 'BadTopic', 'MissingTopic']);

/** Apple's push service: one connection per environment, each with a token of its own. Throws for a key that is none. */
export function createApnsProvider(options: ApnsOptions): PushProvider {
  const { clock, log, topics } = options;
  // Found at the start, and not at the first notification.
  if (createPrivateKey(options.key).asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new TypeError('The push key is no private key on the curve P-256');
  }
  const lane = () => new Breaker(clock, FOREIGN_DEVICES);
  const open = (environment: PushEnvironment) => ({
    connection: new ApnsConnection(options.urls[environment], environment, options),
    credentials: lane(),
    topics: { mail: lane(), calendar: lane(), admin: lane() },
  });
  const environments = { production: open('production'), sandbox: open('sandbox') };

  /** 403 and its like say nothing of devices: the lane waits, a person is called, every registration stays. */
  const hold = (
    breaker: Breaker,
    { app, environment }: Push,
    reason: string,
    { isCertain = true, pauseMs = PAUSE_MS } = {},
  ): void => {
    if (!breaker.fail(pauseMs, isCertain)) return;
    log.error(
      { app, environment, reason, pause_ms: pauseMs },
      'push held back: the provider refuses its set-up',
    );
  };

  return {
    async send(push): Promise<PushOutcome> {
      const { connection, credentials, topics: lanes } = environments[push.environment];
      const topicLane = lanes[push.app];
      const held = Math.max(credentials.remainingMs(), topicLane.remainingMs());
      if (held > 0) return { status: 'retry', reason: 'held', afterMs: held };

      const answer = await connection.send(notificationOf(push, topics[push.app]), push.deviceToken);
      const { status, reason, retryAfterMs } = answer;
      if (status === 200) {
        credentials.succeed();
        topicLane.succeed();
        return { status: 'sent' };
      }
      if (status === 410) return { status: 'gone', reason, since: answer.since ?? clock.now() };
      if (reason === 'BadDeviceToken') return { status: 'gone', reason, since: null };
      if (reason === 'DeviceTokenNotForTopic') {
        hold(topicLane, push, reason, { isCertain: false });
        return { status: 'refused', reason };
      }
      if (TOPIC_REASONS.has(reason)) {
        hold(topicLane, push, reason);
        return { status: 'retry', reason, afterMs: topicLane.remainingMs() };
      }
      // The library has made a new token by now.
      if (reason === 'ExpiredProviderToken') return { status: 'retry', reason, afterMs: null };
      if (status === 403 || reason === 'TooManyProviderTokenUpdates') {
        hold(credentials, push, reason, { pauseMs: Math.max(retryAfterMs ?? 0, PAUSE_MS) });
        return { status: 'retry', reason, afterMs: credentials.remainingMs() };
      }
      if (isPassing(answer)) return { status: 'retry', reason, afterMs: retryAfterMs };
      return { status: 'refused', reason };
    },
    lanes() {
      return pushEnvironments.flatMap((environment) => {
        const { credentials, topics } = environments[environment];
        return Object.entries({ credentials, ...topics }).map(([lane, breaker]) => ({
          environment,
          lane: lane as PushLane['lane'],
          remainingMs: breaker.remainingMs(),
        }));
      });
    },
    async close() {
      await Promise.all(Object.values(environments).map(({ connection }) => connection.close()));
    },
  };
}

/** No answer at all, or one that says to come again. */
function isPassing({ status }: ApnsAnswer): boolean {
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
  // What the library would make of it, without taking it apart and writing it anew.
  Object.assign(notification, { compiled: push.payload });
  return notification;
}
