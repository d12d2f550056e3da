import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import type { OperationContext } from '../../platform/database/context.ts';
import type { Services } from '../../platform/services.ts';

/** AES-256-GCM: the nonce, the tag and the sealed text. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type Secrets = Pick<Services, 'secret'>;

/** Encrypts a secret that must be read again, with the secret of the installation. `purpose` is that of the column: a value of another one is not opened. */
export async function seal({ secret }: Secrets, purpose: string, text: string): Promise<Buffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(await secret.current(), purpose), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Decrypts what {@link seal} has encrypted, also with the secret of the installation before the last rotation. */
export async function unseal({ secret }: Secrets, purpose: string, sealed: Uint8Array): Promise<string> {
  const text = await secret.verify((key) => open(keyOf(key, purpose), sealed));
  if (text === null)
    throw new Error(`A ${purpose} was sealed with a secret that this installation no longer has.`);
  return text;
}

function open(key: Buffer, sealed: Uint8Array): string | null {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([
      decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ]).toString('utf8');
  } catch {
    return null;
  }
}

function keyOf(secret: KeyObject, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `firmdesk ${purpose}`, 32));
}

/** The columns with sealed values, and the purpose of each. */
export const TOTP_SECRET = 'second factor';
export const CLIENT_SECRET = 'client secret of a provider';

/** Seals everything again with the current secret, before it is rotated: what only the previous secret opens would be lost. */
export async function sealAgain({ db, services }: OperationContext): Promise<void> {
  const again = async (purpose: string, sealed: Uint8Array) =>
    seal(services, purpose, await unseal(services, purpose, sealed));
  const factors = await db.selectFrom('second_factors').select(['user_id', 'secret']).forUpdate().execute();
  for (const { user_id, secret } of factors)
    await db
      .updateTable('second_factors')
      .set({ secret: await again(TOTP_SECRET, secret) })
      .where('user_id', '=', user_id)
      .execute();
  const providers = await db
    .selectFrom('sign_in_providers')
    .select(['workspace_id', 'client_secret'])
    .forUpdate()
    .execute();
  for (const { workspace_id, client_secret } of providers)
    await db
      .updateTable('sign_in_providers')
      .set({ client_secret: await again(CLIENT_SECRET, client_secret) })
      .where('workspace_id', '=', workspace_id)
      .execute();
}
