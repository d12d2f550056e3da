import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** Returns the signature of a link that mail carries. `parts`: what the link is for, then what it names. */
export function signLink(secret: KeyObject, parts: readonly (string | number)[]): string {
  return createHmac('sha256', secret).update(parts.join('\n')).digest().subarray(0, 16).toString('base64url');
}

/** Returns whether a signature of 22 characters is {@link signLink} of the parts. */
export function isSigned(secret: KeyObject, parts: readonly (string | number)[], signature: string): boolean {
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signLink(secret, parts)));
}
