import { hostOf, namesForbiddenAddress, type OutboundNetwork } from '../platform/outbound/guarded-request.ts';
import { isPublicAddress } from '../platform/outbound/public-address.ts';
import { invalidField } from '../platform/process/errors.ts';
import type { Services } from '../platform/services.ts';

declare module '../platform/services.ts' {
  interface Services {
    webhooks: {
      /** Whether endpoints may be on this machine, also without TLS: for development. */
      allowsLoopback: boolean;
      /** An attempt takes at most this long. */
      attemptMs: number;
      /** How many endpoints the process sends to now. */
      running: number;
    };
  }
}

const isLoopback = (address: string) => address === '::1' || address.startsWith('127.');

/** Returns which addresses endpoints may have. */
export function webhookNetwork({ webhooks }: Pick<Services, 'webhooks'>): OutboundNetwork {
  if (!webhooks.allowsLoopback) return {};
  return { isAllowed: (address) => isPublicAddress(address) || isLoopback(address) };
}

/** Returns the URL of an endpoint in its normal form. Throws `validation_failed`. */
export function checkWebhookUrl(services: Pick<Services, 'webhooks'>, text: string): string {
  const url = URL.parse(text);
  if (!url || url.hostname === '')
    throw invalidField('url', 'must be a URL, such as https://example.com/hooks');
  const host = hostOf(url);
  const isHere = host === 'localhost' || isLoopback(host);
  const isDevelopment = services.webhooks.allowsLoopback && isHere;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isDevelopment))
    throw invalidField('url', 'must begin with https://');
  if (url.username !== '' || url.password !== '')
    throw invalidField('url', 'must not contain a user name or a password: deliveries are signed');
  if (url.hostname.endsWith('.'))
    throw invalidField('url', 'must name the server without a dot at the end of its name');
  if (namesForbiddenAddress(url, webhookNetwork(services)))
    throw invalidField('url', 'must be an address of the public internet');
  url.hash = '';
  return url.href;
}
