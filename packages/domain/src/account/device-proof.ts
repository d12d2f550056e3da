import { createHmac, hkdfSync, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Services } from '../platform/services.ts';

/** `fdd_`, 16 random bytes and the signature, in base64url. */
const FORMAT = /^fdd_([\w-]{22})([\w-]{43})$/;

/**
 * Creates a proof that a device has signed in to an account before. It is not a credential: it exempts the device from the delay
 * that wrong passwords from other devices put on the account.
 */
export async function createDeviceProof(services: Services, email: string): Promise<string> {
  const id = randomBytes(16).toString('base64url');
  return `fdd_${id}${sign(await services.secret.current(), id, email)}`;
}

/** Returns the device id of a proof, or null if the proof is not valid for this account. */
export async function verifyDeviceProof(
  services: Services,
  email: string,
  proof: string,
): Promise<string | null> {
  const [, id, signature] = FORMAT.exec(proof) ?? [];
  if (!id || !signature) return null;
  return services.secret.verify((secret) =>
    timingSafeEqual(Buffer.from(signature), Buffer.from(sign(secret, id, email))) ? id : null,
  );
}

function sign(secret: KeyObject, id: string, email: string): string {
  const key = hkdfSync('sha256', secret, '', 'firmdesk known device', 32);
  return createHmac('sha256', Buffer.from(key)).update(`${id}\n${email}`).digest('base64url');
}
