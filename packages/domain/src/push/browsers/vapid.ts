import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Identifies this installation to push services (VAPID, RFC 8292). */
export interface VapidKey {
  privateKey: KeyObject;
  /** In base64url: the `applicationServerKey` of subscriptions. */
  publicKey: string;
}

/** How long a signature is valid. Push services accept at most a day. */
const VALID_SECONDS = 12 * 60 * 60;

/** Returns a new private key in PEM. */
export function generateVapidKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Reads a private key in PEM. Throws if it is none of the curve P-256. */
export function readVapidKey(pem: string): VapidKey {
  const privateKey = createPrivateKey(pem);
  if (privateKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new TypeError('The key of Web Push must be a private key on the curve P-256.');
  const { x, y } = createPublicKey(privateKey).export({ format: 'jwk' });
  const point = [Buffer.from([4]), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')];
  return { privateKey, publicKey: Buffer.concat(point).toString('base64url') };
}

/** Returns the header `Authorization` of a push to the service at this origin. `contact` is a URL of the sender, if there is one. */
export function vapidHeader(
  { privateKey, publicKey }: VapidKey,
  { origin, contact, now }: { origin: string; contact: string | null; now: Date },
): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    aud: origin,
    exp: Math.floor(now.getTime() / 1000) + VALID_SECONDS,
    ...(contact !== null && { sub: contact }),
  };
  const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`;
}
