import { createHash } from 'node:crypto';
import express from 'express';
import pg from 'pg';

/**
 * A careful hand-written route that saves a draft: the message and its idempotency key in one transaction, with prepared
 * statements. No token, no validation, no logs, no metrics, no request ids.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.use(express.json({ limit: '10mb' }));

app.post('/v1/me/mail/drafts', async (req, res) => {
  const { address_id, draft_id, to, subject, body } = req.body;
  const recipients = JSON.stringify(to.map((email: string) => ({ email, name: null })));
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query({
      name: 'save',
      text: `update mail_messages set to_recipients = $3, subject = $4, body = $5, snippet = left($5, 200), message_at = now()
             where id = $1 and mailbox_id = $2 and folder = 'drafts'
             returning id, thread_id, mailbox_id, to_recipients, cc_recipients, message_at`,
      values: [draft_id, address_id, recipients, subject, body],
    });
    const [row] = rows;
    const answer = JSON.stringify({
      data: {
        id: row.id,
        object: 'mail_message',
        thread_id: row.thread_id,
        address_id: row.mailbox_id,
        folder: 'drafts',
        subject,
        to_recipients: row.to_recipients,
        cc_recipients: row.cc_recipients,
        message_at: row.message_at,
      },
      meta: { request_id: 'req_rival' },
    });
    await client.query({
      name: 'keep',
      text: `insert into idempotency_keys (id, body_hash, status, answer, created_at) values ($1, $2, 200, $3, now())`,
      values: [
        createHash('sha256').update(req.get('idempotency-key')!).digest(),
        createHash('sha256').update(body).digest(),
        Buffer.from(answer),
      ],
    });
    await client.query('commit');
    res.type('json').send(answer);
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
});

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` });
});
