import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import type { BrowserKeys } from '@firmdesk/contract';

/** The size of a record, which all of the message must fit in. */
const RECORD_BYTES = 4_096;
/** Ends the last record. */
const LAST_RECORD = Buffer.from([2]);

const newPair = () => {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return pair;
};

/** Returns whether the keys are ones that a text can be encrypted for: the public key must be a point of the curve P-256. */
export function areKeysUsable({ p256dh }: BrowserKeys): boolean {
  try {
    newPair().computeSecret(p256dh, 'base64url');
    return true;
  } catch {
    return false;
  }
}

/** Encrypts a text for a browser, as the body of a push message (RFC 8291, with the content coding aes128gcm of RFC 8188). */
export function seal(text: string, { p256dh, auth }: BrowserKeys): Buffer {
  const pair = newPair();
  const sender = pair.getPublicKey();
  const receiver = Buffer.from(p256dh, 'base64url');
  const salt = randomBytes(16);
  const derive = (key: Buffer, saltOfKey: Buffer, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', key, saltOfKey, info, bytes));
  const input = derive(
    pair.computeSecret(receiver),
    Buffer.from(auth, 'base64url'),
    Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender]),
    32,
  );
  const key = derive(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const header = Buffer.alloc(5);
  header.writeUInt32BE(RECORD_BYTES);
  header.writeUInt8(sender.length, 4);
  return Buffer.concat([
    salt,
    header,
    sender,
    cipher.update(text, 'utf8'),
    cipher.update(LAST_RECORD),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}
