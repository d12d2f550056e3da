import { outboxLagSeconds, poolGauges, type Services } from '@firmdesk/domain';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { measureRetention } from './retention-metrics.ts';

export interface Metrics {
  registry: Registry;
  /** One answered request, by the template of its route. */
  request(labels: { method: string; route: string; status: number }, seconds: number): void;
}

/**
 * Prometheus metrics: the process, requests by route, the pool, sockets, and what goes to phones. What is read from the
 * database is read from `metricsPool`, which calls cannot use up.
 */
export function createMetrics(services: Services, sockets: () => number): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the request’s head to the end of its answer.',
    labelNames: ['method', 'route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of the pool, and calls waiting for one.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, value] of Object.entries(poolGauges(services.pool))) this.set({ state }, value);
    },
  });
  new Gauge({
    name: 'websocket_connections',
    help: 'Open sockets.',
    registers,
    collect() {
      this.set(sockets());
    },
  });
  measurePush(services, registry);
  measureRetention(services, registry);
  return {
    registry,
    request({ method, route, status }, seconds) {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
  };
}

/** What of push is seen from outside; never a device's token. The outbox is everybody's, the rest is of this process. */
function measurePush(services: Services, registry: Registry): void {
  const registers = [registry];
  const { push, pushMetrics, clock, metricsPool } = services;
  const measured = { clock, pool: metricsPool };
  new Gauge({
    name: 'push_outbox_overdue_seconds',
    help: 'How long the notification that is due longest has been waiting to be sent.',
    registers,
    async collect() {
      // Without a database the other metrics are wanted all the more.
      this.set(await outboxLagSeconds(measured).catch(() => Number.NaN));
    },
  });
  const tried = new Counter({
    name: 'push_sent_total',
    help: 'Notifications that a sender had: delivered, failed for good, dropped before they were sent, to be tried again.',
    labelNames: ['app', 'environment', 'result', 'reason'],
    registers,
  });
  pushMetrics.onAttempt = (labels) => tried.inc({ ...labels });
  const reminders = new Counter({
    name: 'reminders_total',
    help: 'Reminders that were due: queued for phones, or not sent and why.',
    labelNames: ['channel', 'result'],
    registers,
  });
  // Known before the first one, so that an increase from none is one.
  reminders.inc({ channel: 'email', result: 'mail_not_set_up' }, 0);
  pushMetrics.onReminders = (labels, count) => reminders.inc({ ...labels }, count);
  const answers = new Histogram({
    name: 'push_send_duration_seconds',
    help: 'From the request to the push service until its answer.',
    labelNames: ['app', 'environment'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  pushMetrics.onResponse = (app, environment, seconds) => answers.observe({ app, environment }, seconds);
  new Gauge({
    name: 'push_in_flight',
    help: 'Notifications that the push service has not answered yet.',
    registers,
    collect() {
      this.set(pushMetrics.inFlight);
    },
  });
  new Gauge({
    name: 'push_lane_held_seconds',
    help: 'How long a lane is still held back because the push service refuses its set-up; 0 when it is open.',
    labelNames: ['environment', 'lane'],
    registers,
    collect() {
      for (const { environment, lane, remainingMs } of push.lanes())
        this.set({ environment, lane }, remainingMs / 1_000);
    },
  });
}
