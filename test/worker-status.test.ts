import { cloneDatabase } from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { startGateway, stop } from './started-gateway.ts';

test('serves health, readiness and metrics, but no calls, from a worker', async () => {
  await using database = await cloneDatabase(inject('postgresUrl'));
  const worker = startGateway({ DATABASE_URL: database.url, DEMO: '0' }, ['--role', 'worker']);
  try {
    const url = await worker.listening;
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ ok: true });
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^push_outbox_overdue_seconds 0$/m);
    expect(metrics).toMatch(/^push_in_flight 0$/m);
    for (const path of ['/', '/docs/', '/v1/ping', '/trpc/ping', '/v1/openapi.json']) {
      expect((await fetch(`${url}${path}`)).status, path).toBe(404);
    }
  } finally {
    expect(await stop(worker)).toBe(0);
  }
});
