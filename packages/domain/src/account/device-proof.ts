import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { installationSecret } from '../platform/installation-secret.ts';
import type { Services } from '../platform/services.ts';

/** `fdd_`, 16 random bytes and the seal, in base64url. */
const FORM = /^fdd_([\w-]{22})([\w-]{43})$/;

/**
 * Makes the proof that a device has signed in to an account before. It is no credential: it lets the device past the delay
 * that wrong passwords from elsewhere have put on the account.
 */
export async function createDeviceProof(services: Services, email: string): Promise<string> {
  const id = randomBytes(16).toString('base64url');
  return `fdd_${id}${await seal(services, id, email)}`;
}

/** Returns the id of the device that the proof was made for; null for what is not a proof for this account. */
export async function verifyDeviceProof(
  services: Services,
  email: string,
  proof: string,
): Promise<string | null> {
  const [, id, given] = FORM.exec(proof) ?? [];
  if (!id || !given) return null;
  return timingSafeEqual(Buffer.from(given), Buffer.from(await seal(services, id, email))) ? id : null;
}

async function seal(services: Services, id: string, email: string): Promise<string> {
  const key = hkdfSync('sha256', await installationSecret(services), '', 'firmdesk known device', 32);
  return createHmac('sha256', Buffer.from(key)).update(`${id}\n${email}`).digest('base64url');
}
