import express from 'express';
import pg from 'pg';
import { checkToken } from './check-token.ts';

/**
 * A careful hand-written `GET /v1/ping` that checks the token with one prepared statement, and `/bare`, which answers a
 * constant. No logs, no metrics, no request ids.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const app = express();
app.disable('x-powered-by');
app.set('etag', false);

app.get('/bare', (_req, res) => void res.json({ data: { ok: true }, meta: {} }));

app.get('/v1/ping', async (req, res) => {
  const token = await checkToken(pool, req.headers.authorization);
  if (typeof token === 'string') return void res.status(401).json({ error: { code: token } });
  res.set('Cache-Control', 'no-store');
  res.json({
    data: {
      ok: true,
      environment: token.environment,
      api_key: token.id,
      scopes: token.scopes,
      tenant: { name: token.name, slug: token.slug },
      time: new Date().toISOString(),
    },
    meta: { request_id: 'req_rival' },
  });
});

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` });
});
