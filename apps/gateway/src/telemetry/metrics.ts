import { readFileSync } from 'node:fs';
import { outboxLagSeconds, poolGauges, type Services } from '@firmdesk/domain';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { measureAssistant } from './assistant-metrics.ts';
import { measureJobs } from './job-metrics.ts';
import { measureRetention } from './retention-metrics.ts';

/** How often the delay of the event loop is measured. The library's 10 ms would wake an idle process a hundred times a second. */
const EVENT_LOOP_SAMPLE_MS = 100;

const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

export interface Metrics {
  registry: Registry;
  /** Counts a request by the template of its route. */
  request(labels: { method: string; route: string; status: number }, seconds: number): void;
  /** Counts a request that had parameters or fields which the service ignored. */
  ignoredParameters(route: string): void;
  /** Counts a websocket that was refused or closed, by a reason of a bounded set. */
  socketRefused(reason: string): void;
  /** Counts a call over websocket, by its declared procedure. `code` is that of its error, or `ok`. */
  socketCall(procedure: string, code: string): void;
}

/**
 * Creates the Prometheus metrics: process, requests by route, pools, sockets, jobs, replies, pushes, retention. Reads the database through
 * `metricsPool`, which calls cannot exhaust.
 */
export function createMetrics(services: Services, sockets: () => number): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
  // Without a sample since the last scrape these are not numbers, or 292 years. The percentiles and the maximum are zero.
  for (const figure of ['mean', 'stddev', 'min'])
    registry.removeSingleMetric(`nodejs_eventloop_lag_${figure}_seconds`);
  const registers = [registry];
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const withIgnored = new Counter({
    name: 'http_requests_with_ignored_parameters_total',
    help: 'Requests with unknown parameters or fields, which were ignored, by route.',
    labelNames: ['route'],
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request’s head to the end of its response.',
    labelNames: ['method', 'route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of each pool (total, idle), and queries that wait for one.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, states] of Object.entries(poolGauges(services)))
        for (const [state, value] of Object.entries(states)) this.set({ pool, state }, value);
    },
  });
  const build = new Gauge({
    name: 'firmdesk_build_info',
    help: 'The version of Firmdesk and of Node; always 1.',
    labelNames: ['version', 'node'],
    registers,
  });
  build.set({ version: VERSION, node: process.versions.node }, 1);
  const limited = new Counter({
    name: 'rate_limited_total',
    help: 'Calls that were rejected with 429, by the exceeded limit.',
    labelNames: ['limit'],
    registers,
  });
  services.limits.onRejected = (limit) => limited.inc({ limit });
  const refused = new Counter({
    name: 'websocket_refused_total',
    help: 'Websockets that were refused, or closed before they were authenticated, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const socketCalls = new Counter({
    name: 'websocket_calls_total',
    help: 'Calls and subscriptions over websocket, by procedure and the code of their error.',
    labelNames: ['procedure', 'code'],
    registers,
  });
  new Gauge({
    name: 'websocket_connections',
    help: 'Open websockets.',
    registers,
    collect() {
      this.set(sockets());
    },
  });
  measureJobs(services, registry);
  measureAssistant(services, registry);
  measurePush(services, registry);
  measureRetention(services, registry);
  return {
    registry,
    request({ method, route, status }, seconds) {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
    ignoredParameters: (route) => withIgnored.inc({ route }),
    socketRefused: (reason) => refused.inc({ reason }),
    socketCall: (procedure, code) => socketCalls.inc({ procedure, code }),
  };
}

/** Adds the push metrics, without device tokens. The outbox is shared by all processes, the rest is of this process. */
function measurePush(services: Services, registry: Registry): void {
  const registers = [registry];
  const { push, pushMetrics, clock, metricsPool } = services;
  const measured = { clock, pool: metricsPool };
  new Gauge({
    name: 'push_outbox_overdue_seconds',
    help: 'Age of the oldest push that is due and not sent.',
    registers,
    async collect() {
      // Without a database, `/metrics` still serves the other metrics.
      this.set(await outboxLagSeconds(measured).catch(() => Number.NaN));
    },
  });
  const tried = new Counter({
    name: 'push_sent_total',
    help: 'Attempts to send a push: delivered, failed permanently, dropped before sending, or to be retried.',
    labelNames: ['app', 'environment', 'result', 'reason'],
    registers,
  });
  pushMetrics.onAttempt = (labels) => tried.inc({ ...labels });
  const reminders = new Counter({
    name: 'reminders_total',
    help: 'Due reminders: queued, or not sent, with the reason.',
    labelNames: ['channel', 'result'],
    registers,
  });
  // Starts at 0, so that Prometheus sees the first reminder as an increase.
  reminders.inc({ channel: 'email', result: 'too_late' }, 0);
  pushMetrics.onReminders = (labels, count) => reminders.inc({ ...labels }, count);
  const answers = new Histogram({
    name: 'push_send_duration_seconds',
    help: 'Time from a request to the push service to its response.',
    labelNames: ['app', 'environment'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  pushMetrics.onResponse = (app, environment, seconds) => answers.observe({ app, environment }, seconds);
  new Gauge({
    name: 'push_in_flight',
    help: 'Pushes that wait for a response of the push service.',
    registers,
    collect() {
      this.set(pushMetrics.inFlight);
    },
  });
  new Gauge({
    name: 'push_pause_seconds',
    help: 'Time until pushes are sent again, after the push service rejected their configuration; 0 if they are not paused.',
    labelNames: ['environment', 'scope'],
    registers,
    collect() {
      for (const { environment, scope, remainingMs } of push.pauses())
        this.set({ environment, scope }, remainingMs / 1_000);
    },
  });
}
