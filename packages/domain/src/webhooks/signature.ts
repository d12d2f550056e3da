import { createHmac } from 'node:crypto';

/** The secret as its receiver stores it (Standard Webhooks). */
export function webhookSecret(secret: Buffer): string {
  return `whsec_${secret.toString('base64')}`;
}

/** Returns the headers that sign a body (Standard Webhooks): one signature for each secret. */
export function signatureHeaders(
  id: string,
  at: Date,
  body: string,
  secrets: readonly Buffer[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'Webhook-Id': id,
    'Webhook-Timestamp': timestamp,
    'Webhook-Signature': signatures.join(' '),
  };
}
