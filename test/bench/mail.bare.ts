import { createTransport } from 'nodemailer';
import { sentMessage } from './mail.messages.ts';

/** The message of the parent process: how many messages to send to the server at `url`. */
export interface SendRequest {
  url: string;
  count: number;
}

/** Sends by a pool of nodemailer, with as many connections as ours, without a database or a recorded outcome. */
process.on('message', async ({ url, count }: SendRequest) => {
  const pool = createTransport({
    url,
    pool: true,
    maxConnections: 10,
    maxMessages: Number.POSITIVE_INFINITY,
  });
  const started = performance.now();
  const { subject, body } = sentMessage;
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      pool.sendMail({
        from: 'desk@example.com',
        to: `p${n}@elsewhere.example`,
        subject,
        html: body,
        text: subject,
      }),
    ),
  );
  process.send?.({ seconds: (performance.now() - started) / 1_000 });
  pool.close();
});
process.send?.('ready');
