import { readFileSync } from 'node:fs';
import { connect, constants } from 'node:http2';
import { CERTIFICATE_FILE, TOPICS } from '@firmdesk/testing/gateway';

/** The message of the parent process: the number of pushes to send to the stand-in at `url`. */
export interface SendRequest {
  url: string;
  count: number;
  payload: string;
}

/** Concurrent streams. */
const CONCURRENCY = 1_000;

/** A bare sending loop over one connection, without database, token signing or recorded outcomes. */
process.on('message', async ({ url, count, payload }: SendRequest) => {
  const session = connect(url, { ca: readFileSync(CERTIFICATE_FILE) });
  const send = (n: number) =>
    new Promise<void>((resolve, reject) => {
      const stream = session.request({
        [constants.HTTP2_HEADER_METHOD]: 'POST',
        [constants.HTTP2_HEADER_PATH]: `/3/device/${n.toString(16).padStart(64, '0')}`,
        authorization: 'bearer eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJURUFNIn0.c2lnbmF0dXJl',
        'apns-id': crypto.randomUUID(),
        'apns-topic': TOPICS.mail,
        'apns-push-type': 'alert',
        'apns-priority': '10',
        'apns-expiration': '2000000000',
      });
      stream.on('response', (headers) => {
        if (headers[':status'] !== 200) reject(new Error(`answered ${headers[':status']}`));
      });
      stream.on('error', reject);
      stream.on('end', resolve);
      stream.resume();
      stream.end(payload);
    });
  // APNs allows a single stream until its first response.
  await send(0);
  const started = performance.now();
  let next = 0;
  const sendInTurn = async () => {
    while (next < count) await send(++next);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendInTurn));
  process.send?.({ seconds: (performance.now() - started) / 1_000 });
  session.close();
});
process.send?.('ready');
