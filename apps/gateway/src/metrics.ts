import { poolGauges, pushOverdueSeconds, type Services } from '@firmdesk/domain';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  registry: Registry;
  /** One answered request, by the template of its route. */
  request(labels: { method: string; route: string; status: number }, seconds: number): void;
}

/** Prometheus metrics: the process, requests by route, the pool, sockets. */
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
  new Gauge({
    name: 'push_outbox_overdue_seconds',
    help: 'How long the notification that is due longest has been waiting to be sent.',
    registers,
    async collect() {
      // Without a database the other metrics are wanted all the more.
      this.set(await pushOverdueSeconds(services).catch(() => Number.NaN));
    },
  });
  return {
    registry,
    request({ method, route, status }, seconds) {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
  };
}
