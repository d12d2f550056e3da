import { createServer } from 'node:http';
import pg from 'pg';
import { wireTypes } from '../../../packages/domain/src/platform/wire-types.ts';
import { pageByHand } from '../ticket-firm/rivals.ts';
import { checkToken } from './check-token.ts';

/**
 * A careful hand-written `GET /v1/admin/tickets` without a framework: one prepared statement checks the token and the permission, one
 * reads the page. No filters, validation, entity tags, logs, metrics or request ids.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10, types: wireTypes });

const server = createServer(async (req, res) => {
  const write = (status: number, body: object) => {
    const json = Buffer.from(JSON.stringify(body));
    res.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': json.length,
      'Cache-Control': 'no-store',
    });
    res.end(json);
  };
  try {
    if (req.url !== '/v1/admin/tickets') return write(404, { error: { code: 'not_found' } });
    const token = await checkToken(pool, req.headers.authorization, { withRole: true });
    if (typeof token === 'string') return write(401, { error: { code: token } });
    const isAllowed =
      token.scopes.includes('admin:read') &&
      token.role === 'admin' &&
      token.permissions?.includes('view_tickets');
    if (!isAllowed) return write(403, { error: { code: 'forbidden' } });
    write(200, { ...((await pageByHand(pool, token.workspace_id)) as object), request_id: 'req_rival' });
  } catch {
    write(500, { error: { code: 'internal_error' } });
  }
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` });
});
