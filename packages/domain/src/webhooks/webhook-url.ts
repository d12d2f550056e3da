import type { OutboundNetwork } from '../platform/outbound/guarded-request.ts';
import { checkServerUrl, networkOf } from '../platform/outbound/named-server.ts';
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

/** Returns which addresses endpoints may have. */
export function webhookNetwork({ webhooks }: Pick<Services, 'webhooks'>): OutboundNetwork {
  return networkOf(webhooks);
}

/** Returns the URL of an endpoint in its normal form. Throws `validation_failed`. */
export function checkWebhookUrl({ webhooks }: Pick<Services, 'webhooks'>, text: string): string {
  return checkServerUrl(text, {
    field: 'url',
    authentication: 'deliveries are signed',
    example: 'https://example.com/hooks',
    allowsLoopback: webhooks.allowsLoopback,
  });
}
