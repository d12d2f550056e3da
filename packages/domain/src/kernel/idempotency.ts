import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Call } from './call.ts';
import { sqlOf } from './database.ts';
import type { Services } from './services.ts';

/** For this long a key answers with what its first call answered. */
export const IDEMPOTENCY_HOURS = 72;

const UUID = /^"?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"?$/i;

/** What is kept of a call: enough to answer it again word for word. */
export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** One key in its scope. The row is found by a hash: neither the key nor what it was scoped by is kept. */
export interface Claim {
  id: Buffer;
  bodyHash: Buffer;
  /** Seals an answer that shows a secret; made of what only the caller has. */
  seal: Buffer | null;
}

export interface Replay extends StoredAnswer {
  isOtherBody: boolean;
}

/** The key of `Idempotency-Key`: a UUID, bare or quoted as a structured field; null for anything else (G-3). */
export function readIdempotencyKey(header: string | null): string | null {
  return (header && UUID.exec(header.trim())?.[1]?.toLowerCase()) ?? null;
}

/**
 * The scope of a key is token, method and path (design §2). A call without a token (sign-in) is scoped by its body, and
 * its answer, which shows a token, is sealed by the key and the body: whoever reads the database cannot open it.
 */
export function claimOf(call: Call, target: string, key: string, rawInput: unknown): Claim {
  const bodyHash = sha256(JSON.stringify(rawInput ?? {}));
  const owner = call.identity?.tokenId ?? bodyHash.toString('hex');
  return {
    id: sha256([owner, target, key].join('\n')),
    bodyHash,
    seal: call.identity
      ? null
      : Buffer.from(hkdfSync('sha256', key, bodyHash, 'firmdesk idempotent answer', 32)),
  };
}

/**
 * Claims the key inside the caller's transaction. A concurrent claim is waited for: if its transaction commits, its
 * answer is returned; if it rolled back, the claim is ours (null).
 */
export async function claim(
  em: SqlEntityManager,
  { id, bodyHash, seal }: Claim,
  now: Date,
): Promise<Replay | null> {
  const db = sqlOf(em);
  const inserted = await sql`
    insert into idempotency_keys (id, body_hash, created_at) values (${id}, ${bodyHash}, ${now.toISOString()})
    on conflict do nothing`.execute(db);
  if (inserted.numAffectedRows === 1n) return null;
  const { rows } = await sql<{ body_hash: Buffer; status: number; answer: Buffer }>`
    select body_hash, status, answer from idempotency_keys where id = ${id}`.execute(db);
  const row = rows[0];
  if (!row) return claim(em, { id, bodyHash, seal }, now);
  const answer = JSON.parse(seal ? open(seal, row.answer) : row.answer.toString()) as Omit<
    StoredAnswer,
    'status'
  >;
  return { ...answer, status: row.status, isOtherBody: !row.body_hash.equals(bodyHash) };
}

/** Keeps the answer under the claimed key, in the same transaction. */
export async function keepAnswer(
  em: SqlEntityManager,
  { id, seal }: Claim,
  answer: StoredAnswer,
): Promise<void> {
  await sql`
    update idempotency_keys set status = ${answer.status}, answer = ${encode(answer, seal)}
    where id = ${id}`.execute(sqlOf(em));
}

/** Keeps a refusal after its transaction was rolled back. If another call took the key meanwhile, its answer stands. */
export async function keepRefusal(
  em: SqlEntityManager,
  kept: Claim,
  answer: StoredAnswer,
  now: Date,
): Promise<void> {
  await sql`
    insert into idempotency_keys (id, body_hash, status, answer, created_at)
    values (${kept.id}, ${kept.bodyHash}, ${answer.status}, ${encode(answer, kept.seal)}, ${now.toISOString()})
    on conflict do nothing`.execute(sqlOf(em));
}

const PRUNE_BATCH = 1_000;

/** Forgets answers older than {@link IDEMPOTENCY_HOURS}, in small batches that wait for nobody and hold nobody up. */
export async function pruneIdempotencyKeys({ pool, clock }: Services): Promise<void> {
  const before = new Date(clock.now().getTime() - IDEMPOTENCY_HOURS * 3_600_000).toISOString();
  for (let pruned = PRUNE_BATCH; pruned === PRUNE_BATCH; ) {
    const result = await pool.query(
      `delete from idempotency_keys where id in (
         select id from idempotency_keys where created_at < $1 order by created_at limit $2 for update skip locked)`,
      [before, PRUNE_BATCH],
    );
    pruned = result.rowCount ?? 0;
  }
}

function encode({ headers, body }: StoredAnswer, seal: Buffer | null): Buffer {
  const text = JSON.stringify({ headers, body });
  return seal ? sealed(seal, text) : Buffer.from(text);
}

function sealed(key: Buffer, text: string): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, box: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12));
  decipher.setAuthTag(box.subarray(-16));
  return Buffer.concat([decipher.update(box.subarray(12, -16)), decipher.final()]).toString();
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
