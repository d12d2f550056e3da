import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** What a browser and its authenticator answer, as `@simplewebauthn/browser` sends it. */
export type PasskeyAnswer = Record<string, unknown>;

interface PasskeyOptions {
  challenge: string;
}

interface Deviations {
  /** The page that asks: by default that of the authenticator. */
  origin?: string;
  /** The host for which it signs. */
  rpId?: string;
  /** Whether the person was verified, by a PIN or a fingerprint. */
  isVerified?: boolean;
}

export interface Authenticator {
  create(options: PasskeyOptions, deviations?: Deviations): PasskeyAnswer;
  get(options: PasskeyOptions, deviations?: Deviations): PasskeyAnswer;
}

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest();

/** Returns an authenticator with one passkey (ES256, no attestation), for the pages of an origin. */
export function createAuthenticator(ownOrigin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  let count = 0;
  const ownHost = new URL(ownOrigin).hostname;

  const clientData = (type: string, { challenge }: PasskeyOptions, origin = ownOrigin) =>
    JSON.stringify({ type, challenge, origin, crossOrigin: false });
  const authenticatorData = ({ rpId = ownHost, isVerified = true }: Deviations, more: Buffer) => {
    count += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(count);
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (more.length > 0 ? 0x40 : 0);
    return Buffer.concat([sha256(rpId), Buffer.of(flags), counter, more]);
  };
  const answer = (response: object) => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    create(options, deviations = {}) {
      // The public key in COSE: a map of kty, alg, crv, x and y.
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x!, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y!, 'base64url'),
      ]);
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, key]);
      const data = authenticatorData(deviations, credential);
      // A map of fmt "none", an empty attStmt, and authData as a byte string with a length of one byte.
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.of(data.length),
        data,
      ]);
      const text = clientData('webauthn.create', options, deviations.origin);
      return answer({
        clientDataJSON: base64url(text),
        attestationObject: base64url(attestationObject),
        transports: ['internal'],
      });
    },
    get(options, deviations = {}) {
      const text = clientData('webauthn.get', options, deviations.origin);
      const data = authenticatorData(deviations, Buffer.alloc(0));
      const signature = sign('sha256', Buffer.concat([data, sha256(text)]), privateKey);
      return answer({
        clientDataJSON: base64url(text),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      });
    },
  };
}
