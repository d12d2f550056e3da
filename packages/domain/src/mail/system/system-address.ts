import type { Services } from '../../platform/services.ts';

/** Returns the address of mail that the product sends in its own name. Nobody reads answers to it. */
export function systemAddress({ mail, publicUrl }: Pick<Services, 'mail' | 'publicUrl'>): string {
  const url = publicUrl();
  const [domain = url === '' ? 'localhost' : new URL(url).hostname] = mail.domains;
  return `no-reply@${domain}`;
}
