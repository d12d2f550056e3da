import { createHash, timingSafeEqual } from 'node:crypto';
import { TOKEN_IDLE_DAYS } from '@firmdesk/contract';
import express from 'express';
import pg from 'pg';

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
  const token = /^Bearer (fd_\w+)$/.exec(req.headers.authorization ?? '')?.[1];
  if (!token) return void res.status(401).json({ error: { code: 'invalid_token' } });
  const id = `key_${token.slice(8, 34)}`;
  const secret = token.slice(34, 74);
  const { rows } = await pool.query({
    name: 'token',
    text: `select t.secret_hash, t.scopes, t.environment, t.revoked_at, t.expires_at,
             coalesce(t.last_used_at, t.created_at) as used_at, w.slug, w.name
           from tokens t join workspaces w on w.id = t.workspace_id join users u on u.id = t.user_id
           where t.id = $1 and u.deleted_at is null`,
    values: [id],
  });
  const [row] = rows;
  const hash = createHash('sha256').update(secret).digest();
  if (!row || !timingSafeEqual(hash, row.secret_hash) || row.revoked_at) {
    return void res.status(401).json({ error: { code: 'invalid_token' } });
  }
  const now = Date.now();
  if ((row.expires_at && row.expires_at <= now) || now - row.used_at >= TOKEN_IDLE_DAYS * 86_400_000) {
    return void res.status(401).json({ error: { code: 'expired_token' } });
  }
  res.set('Cache-Control', 'no-store');
  res.json({
    data: {
      ok: true,
      environment: row.environment,
      api_key: id,
      scopes: row.scopes,
      tenant: { name: row.name, slug: row.slug },
      time: new Date().toISOString(),
    },
    meta: { request_id: 'req_rival' },
  });
});

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` });
});
