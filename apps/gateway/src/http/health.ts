import { type Log, type Services, schemaState } from '@firmdesk/domain';
import express, { type Router } from 'express';
import { runningTime } from '../process/running-time.ts';
import type { Metrics } from '../telemetry/metrics.ts';

const CHECK_TIMEOUT_MS = 2_000;

export interface Health {
  services: Services;
  log: Log;
  metrics: Metrics | null;
  isDraining: () => boolean;
}

/** Serves `/healthz` (the process runs), `/readyz` (it can serve calls) and `/metrics` (Prometheus). */
export function healthRouter({ services, log, metrics, isDraining }: Health): Router {
  // Proxies hide these paths from clients: no other spelling leads to them.
  const router = express.Router({ caseSensitive: true, strict: true });
  const pool = services.connections.readinessPool;
  let wasReady = true;
  router.get('/healthz', (_req, res) => void res.json({ ok: true }));
  router.get('/readyz', async (_req, res) => {
    const [database, migrations] = await Promise.all([
      outcomeOf(async () => {
        const { rows } = await pool.query<{ is_read_only: boolean }>(
          `select current_setting('transaction_read_only') = 'on' as is_read_only`,
        );
        return rows[0]!.is_read_only ? 'read-only' : 'ok';
      }),
      outcomeOf(async () => {
        const { pending, isCompatible } = await schemaState({ ...services, pool });
        return isCompatible && pending.length === 0 ? 'ok' : 'failed';
      }),
    ]);
    const checks = {
      listener: isDraining() ? 'draining' : 'ok',
      // `isListening` is null before the first signal or stream, and while it connects: a gateway that was just started is ready.
      streams: services.signals.isListening === false ? 'reconnecting' : 'ok',
      database,
      migrations,
    };
    const ok = Object.values(checks).every((check) => check === 'ok');
    if (ok !== wasReady && !isDraining())
      log[ok ? 'info' : 'warn']({ checks }, ok ? 'ready again' : 'not ready');
    wasReady = ok;
    res.status(ok ? 200 : 503).json({ ok, checks });
  });
  if (metrics) {
    router.get('/metrics', async (_req, res) => {
      res.type(metrics.registry.contentType).send(await metrics.registry.metrics());
    });
  }
  return router;
}

/** Returns the outcome of the check, `failed`, or `timeout`; never the error itself, which may name hosts. */
async function outcomeOf(check: () => Promise<string>): Promise<string> {
  const answered = new AbortController();
  const expired = runningTime(CHECK_TIMEOUT_MS, answered.signal).then(() => 'timeout');
  try {
    return await Promise.race([check().catch(() => 'failed'), expired]);
  } finally {
    answered.abort();
  }
}
