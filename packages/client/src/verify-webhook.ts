import type { WebhookEvent } from '@firmdesk/contract';

/** A webhook that was not sent by Firmdesk, or not lately. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';
}

export interface VerifyWebhookOptions {
  /** The secret of the endpoint, `whsec_…`. */
  secret: string;
  /** How old a webhook may be, in seconds (300): somebody could send a recorded one again. */
  toleranceSeconds?: number;
}

/** The headers of a request, as `Headers` or as Node has them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/**
 * Returns the event of a webhook (Standard Webhooks). Pass the body as it came, before it is parsed. An event can arrive more than once, with the
 * same `id`. Throws {@link WebhookVerificationError}.
 */
export async function verifyWebhook(
  body: string,
  headers: WebhookHeaders,
  { secret, toleranceSeconds = 300 }: VerifyWebhookOptions,
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || age > toleranceSeconds)
    throw new WebhookVerificationError('The webhook is too old, or the clock of this machine is wrong.');
  const [, base64] = SECRET.exec(secret) ?? [];
  if (base64 === undefined) throw new WebhookVerificationError('The secret must begin with "whsec_".');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytesOf(base64), algorithm, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of headerOf(headers, 'webhook-signature').split(' ').slice(0, 10)) {
    const [, given] = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(signature) ?? [];
    if (given !== undefined && (await crypto.subtle.verify('HMAC', key, bytesOf(given), signed)))
      return JSON.parse(body) as WebhookEvent;
  }
  throw new WebhookVerificationError('The webhook has no signature by this secret.');
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = typeof headers['get'] === 'function' ? headers.get(name) : recordOf(headers)[name];
  if (typeof value !== 'string') throw new WebhookVerificationError(`The header "${name}" is missing.`);
  return value;
}

function recordOf(headers: WebhookHeaders): Record<string, unknown> {
  return headers as Record<string, unknown>;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
