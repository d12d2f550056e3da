import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Sql } from '../platform/database/database.ts';
import { sqlState } from '../platform/database/database-errors.ts';
import { retentionOfTable } from '../platform/database/retention.ts';
import { ApiError } from '../platform/process/errors.ts';
import { type Call, fillReply } from './call.ts';
import type { AccountContext, CallContext } from './call-context.ts';
import type { ProcedureSpec } from './spec.ts';

/** How long a key replays the response to its first call. */
export const IDEMPOTENCY_HOURS = 72;

const LOCK_NOT_AVAILABLE = '55P03';

const UUID = /^"?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"?$/i;

const NO_BODY = Buffer.alloc(0);

/** Returns the digest of a body's bytes as received. No body counts as `{}`. */
export function bodyDigestOf(bytes: Uint8Array): Uint8Array {
  return createHash('sha256')
    .update(bytes.length > 0 ? bytes : '{}')
    .digest();
}

/** The stored response to a call, which is replayed unchanged. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** One key in its scope. The row is found by a hash: neither the key nor its scope is stored. */
export interface Claim {
  id: Buffer;
  bodyHash: Buffer;
  /** The encryption key of a response that contains a secret, derived from values that only the caller has. */
  encryptionKey: Buffer | null;
}

/** A stored response that is sent again. */
export interface Replay extends StoredResponse {
  /** Whether the key was first used with another body. */
  hasBodyMismatch: boolean;
}

/** Parses `Idempotency-Key`: a UUID, bare or quoted as a structured field; null for any other value (G-3). */
export function readIdempotencyKey(header: string | null): string | null {
  return UUID.exec(header?.trim() ?? '')?.[1]?.toLowerCase() ?? null;
}

/**
 * Returns the claim of a key. Its scope is the token, the firm that the call acts in, method and path (G-4), so a retry with a
 * corrected `Service-Workspace` is another call. A call that names no firm acts in its token's workspace, which the token implies.
 *
 * A call without a token (sign-in) is scoped by its body. Its response contains a token and is encrypted with the key. The body
 * is hashed with the key, because it may contain a password: the database alone reveals neither the response nor the body.
 */
export function claimOf(call: Call, ctx: CallContext, key: string): Claim {
  const bodyHash = createHmac('sha256', key)
    .update(call.bodyDigest ?? bodyDigestOf(NO_BODY))
    .digest();
  const scope = 'identity' in ctx ? scopeOf(ctx as AccountContext) : [bodyHash.toString('hex')];
  return {
    id: createHash('sha256')
      .update([...scope, call.target, key].join('\n'))
      .digest(),
    bodyHash,
    encryptionKey:
      'identity' in ctx
        ? null
        : Buffer.from(hkdfSync('sha256', key, bodyHash, 'firmdesk idempotent answer', 32)),
  };
}

function scopeOf({ identity, workspace }: AccountContext): string[] {
  const { tokenId, home } = identity;
  return workspace.id === home.id ? [tokenId] : [tokenId, `workspace ${workspace.id}`];
}

/**
 * Claims the key in the caller's transaction. Waits for a concurrent claim: returns its response if it commits, or null if it
 * rolls back and this transaction now holds the claim. Throws `idempotency_key_in_use` after 10 s.
 */
export async function claimKey(db: Sql, claim: Claim, now: Date): Promise<Replay | null> {
  return (await insertClaim(db, claim, null, now)) ? null : getReplay(db, claim);
}

/** Returns the stored response of the key; null if there is none. */
export async function findStoredResponse(db: Sql, claim: Claim, now: Date): Promise<Replay | null> {
  const { rows } = await sql`
    select from idempotency_keys
    where id = ${claim.id} and answer is not null and created_at > ${validSince(now)}`.execute(db);
  return rows.length > 0 ? getReplay(db, claim) : null;
}

/** Stores the response under the claimed key, in the same transaction. */
export async function storeResponse(
  db: Sql,
  { id, encryptionKey }: Claim,
  response: StoredResponse,
): Promise<void> {
  await sql`update idempotency_keys set status = ${response.status}, answer = ${encode(response, encryptionKey)}
    where id = ${id}`.execute(db);
}

/** Stores an error response after its transaction was rolled back. Returns the response to another call that used the key since then. */
export async function storeErrorResponse(
  db: Sql,
  claim: Claim,
  response: StoredResponse,
  now: Date,
): Promise<Replay | null> {
  return (await insertClaim(db, claim, response, now)) ? null : getReplay(db, claim);
}

/**
 * Replays a stored response: over REST it is sent byte for byte; over RPC the output is returned, or the error thrown as an
 * {@link ApiError}. Sets the headers that mark a replay (contract §1, G-5 and G-7).
 */
export function replay(
  { hasMeta }: Pick<ProcedureSpec, 'hasMeta'>,
  { reply }: Call,
  stored: Replay,
): unknown {
  fillReply(reply, stored);
  reply.headers['Idempotent-Replayed'] = 'true';
  if (stored.hasBodyMismatch) reply.headers['Idempotency-Body-Mismatch'] = 'true';
  const envelope = JSON.parse(stored.body);
  reply.headers['Original-Request'] = envelope.meta.request_id;
  if ('error' in envelope) throw new ApiError(envelope.error.code, envelope.error);
  if (!hasMeta) return envelope.data;
  const { request_id: _, ...meta } = envelope.meta;
  return { data: envelope.data, meta };
}

/** Inserts the key's row, or replaces an expired one. Returns false if the key is taken. */
async function insertClaim(
  db: Sql,
  { id, bodyHash, encryptionKey }: Claim,
  response: StoredResponse | null,
  now: Date,
): Promise<boolean> {
  try {
    const { numAffectedRows } = await sql`
      insert into idempotency_keys as stored (id, body_hash, status, answer, created_at)
      values (${id}, ${bodyHash}, ${response?.status ?? null}, ${response && encode(response, encryptionKey)}, ${now.toISOString()})
      on conflict (id) do update set body_hash = excluded.body_hash, status = excluded.status,
        answer = excluded.answer, created_at = excluded.created_at
      where stored.created_at <= ${validSince(now)}`.execute(db);
    return numAffectedRows === 1n;
  } catch (error) {
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new ApiError('idempotency_key_in_use', { retryAfterSeconds: 1, cause: error });
  }
}

async function getReplay(db: Sql, { id, bodyHash, encryptionKey }: Claim): Promise<Replay> {
  const { rows } = await sql<{ body_hash: Buffer; status: number; answer: Buffer }>`
    select body_hash, status, answer from idempotency_keys where id = ${id}`.execute(db);
  const row = rows[0];
  // The row was pruned between the two statements. A retry executes the call.
  if (!row) throw new ApiError('idempotency_key_in_use', { retryAfterSeconds: 1 });
  const response: Omit<StoredResponse, 'status'> = JSON.parse(
    encryptionKey ? decrypt(encryptionKey, row.answer) : row.answer.toString(),
  );
  return { ...response, status: row.status, hasBodyMismatch: !row.body_hash.equals(bodyHash) };
}

function validSince(now: Date): string {
  return new Date(now.getTime() - IDEMPOTENCY_HOURS * 3_600_000).toISOString();
}

export const idempotencyRetention = retentionOfTable({
  kind: 'idempotency_keys',
  keptMs: IDEMPOTENCY_HOURS * 3_600_000,
  since: 'since its first call',
  table: 'idempotency_keys',
  at: 'created_at',
});

function encode({ headers, body }: StoredResponse, encryptionKey: Buffer | null): Buffer {
  const text = JSON.stringify({ headers, body });
  return encryptionKey ? encrypt(encryptionKey, text) : Buffer.from(text);
}

function encrypt(key: Buffer, text: string): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, ciphertext: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, ciphertext.subarray(0, 12));
  decipher.setAuthTag(ciphertext.subarray(-16));
  return Buffer.concat([decipher.update(ciphertext.subarray(12, -16)), decipher.final()]).toString();
}
