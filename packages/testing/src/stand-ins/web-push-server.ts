import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { BrowserKeys } from '@firmdesk/contract';

/** A browser's side of a subscription. */
export interface Subscription {
  endpoint: string;
  keys: BrowserKeys;
}

export interface ReceivedWebPush {
  endpoint: string;
  headers: IncomingHttpHeaders;
  bytes: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on untyped payloads
  payload: any;
  /** The claims of the signature, which was verified. */
  claims: Record<string, unknown>;
}

/** What the push service does with messages to a subscription: a status with headers, or nothing at all. */
export type WebPushBehaviour = { status: number; headers?: Record<string, string> } | 'hang';

export interface WebPushServer extends AsyncDisposable {
  url: string;
  /** The messages that were accepted, decrypted. */
  received: ReceivedWebPush[];
  /** The requests to each subscription, also those that failed. */
  attempts(subscription: Subscription): number;
  subscribe(): Subscription;
  /** From now on (201). */
  behave(subscription: Subscription, behaviour: WebPushBehaviour): void;
}

/**
 * A push service for browsers, and the browsers: it accepts only messages that are signed for it (RFC 8292), and decrypts them
 * (RFC 8291). Written from the RFCs, apart from the code under test.
 */
export async function openWebPushServer(applicationServerKey: string): Promise<WebPushServer> {
  const known = new Map<
    string,
    { receiver: ECDH; auth: Buffer; attempts: number; behaviour: WebPushBehaviour }
  >();
  const received: ReceivedWebPush[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const endpoint = url + request.url;
    const subscription = known.get(endpoint);
    if (request.method !== 'POST' || !subscription) return void response.writeHead(404).end();
    subscription.attempts++;
    const { behaviour } = subscription;
    if (behaviour === 'hang') return;
    if (behaviour.status >= 300) return void response.writeHead(behaviour.status, behaviour.headers).end();
    try {
      const claims = verifyVapid(request.headers.authorization ?? '', applicationServerKey, url);
      const payload = JSON.parse(openSealed(body, subscription.receiver, subscription.auth));
      received.push({ endpoint, headers: request.headers, bytes: body.length, payload, claims });
      response.writeHead(behaviour.status).end();
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    received,
    attempts: ({ endpoint }) => known.get(endpoint)!.attempts,
    subscribe() {
      const endpoint = `${url}/v1/${randomUUID()}`;
      const receiver = createECDH('prime256v1');
      receiver.generateKeys();
      const auth = randomBytes(16);
      known.set(endpoint, { receiver, auth, attempts: 0, behaviour: { status: 201 } });
      const keys = { p256dh: receiver.getPublicKey('base64url'), auth: auth.toString('base64url') };
      return { endpoint, keys };
    },
    behave({ endpoint }, behaviour) {
      known.get(endpoint)!.behaviour = behaviour;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** Decrypts a push message of one record (RFC 8188 §2, RFC 8291 §3). Throws if it is not for this receiver. */
export function openSealed(body: Buffer, receiver: ECDH, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  const sender = body.subarray(21, 21 + body.readUInt8(20));
  const record = body.subarray(21 + sender.length);
  if (record.length > recordSize) throw new Error('more than one record');
  const expand = (key: Buffer, keySalt: Buffer, info: string | Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', key, keySalt, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver.getPublicKey(), sender]);
  const input = expand(receiver.computeSecret(sender), auth, info, 32);
  const key = expand(input, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = expand(input, salt, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('not the last record');
  return padded.subarray(0, end).toString();
}

/** Returns the claims of the header, if the key that the subscriptions were made for has signed them for this service. */
function verifyVapid(header: string, key: string, audience: string): Record<string, unknown> {
  const [, token = '', sentKey] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? [];
  if (sentKey !== key) throw new Error('another key');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const [head = '', body = '', signature = ''] = token.split('.');
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  if (!isSigned || claims.aud !== audience) throw new Error('not signed for this service');
  return claims;
}
