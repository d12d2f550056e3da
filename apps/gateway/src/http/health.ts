import { queryPool, type Services, schemaState } from '@firmdesk/domain';
import express, { type Router } from 'express';
import type { Metrics } from '../metrics.ts';

const CHECK_TIMEOUT_MS = 2_000;

export interface Health {
  services: Services;
  metrics: Metrics | null;
  isDraining: () => boolean;
}

/** Serves `/healthz` (the process runs), `/readyz` (it can serve calls) and `/metrics` (Prometheus). */
export function healthRouter({ services, metrics, isDraining }: Health): Router {
  const router = express.Router();
  const pool = services.connections.readinessPool;
  router.get('/healthz', (_req, res) => void res.json({ ok: true }));
  router.get('/readyz', async (_req, res) => {
    const [database, migrations] = await Promise.all([
      outcomeOf(async () => {
        const { rows } = await queryPool<{ is_read_only: boolean }>(
          pool,
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
      // `isListening` is null until the first signal or stream.
      streams: services.signals.isListening === false ? 'reconnecting' : 'ok',
      database,
      migrations,
    };
    const ok = Object.values(checks).every((check) => check === 'ok');
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
  const timeout = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  const expired = new Promise<string>((resolve) =>
    timeout.addEventListener('abort', () => resolve('timeout')),
  );
  return Promise.race([check().catch(() => 'failed'), expired]);
}
