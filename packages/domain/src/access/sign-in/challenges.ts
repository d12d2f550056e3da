import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { retentionOfTable } from '../../platform/database/retention.ts';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import { ApiError } from '../../platform/process/errors.ts';

/** What a challenge stands for, and for how many minutes. */
const minutes = {
  /** The link in a mail by which an account gets a new password. */
  password_reset: 60,
  /** A verified password that waits for the code of a second factor. */
  second_factor: 10,
  /** The random bytes that a passkey signs. */
  new_passkey: 10,
  passkey: 10,
  /** The state of a sign-in by a firm's provider, which has its pages open meanwhile. */
  provider: 15,
} as const;
export type ChallengeKind = keyof typeof minutes;

/** An account has at most this many challenges of a kind: a further one ends the oldest. */
const MAX_PER_ACCOUNT = 10;

export interface Challenge<Content = unknown> {
  userId: string | null;
  content: Content;
}

/**
 * Creates a challenge and returns its text, 256 random bits. Only its hash is stored. {@link takeChallenge} accepts it once.
 */
export async function createChallenge(
  { db, now }: OperationContext,
  kind: ChallengeKind,
  userId: string | null,
  content: object = {},
): Promise<{ text: string; expiresAt: Date }> {
  const text = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + minutes[kind] * MINUTE_MS);
  await sql`
    insert into sign_in_challenges (id, kind, user_id, content, created_at, expires_at)
    values (${idOf(text)}, ${kind}, ${userId}, ${JSON.stringify(content)}::jsonb, ${now.toISOString()}, ${expiresAt.toISOString()})`.execute(
    db,
  );
  if (userId !== null)
    await sql`
      delete from sign_in_challenges where id in (
        select id from sign_in_challenges where user_id = ${userId} and kind = ${kind}
        order by created_at desc, id offset ${MAX_PER_ACCOUNT})`.execute(db);
  return { text, expiresAt };
}

/** Returns a challenge that was not used and has not expired, and leaves it. Throws `challenge_expired`. */
export async function findChallenge<Content = unknown>(
  ctx: OperationContext,
  kind: ChallengeKind,
  text: string,
): Promise<Challenge<Content>> {
  const { rows } = await sql<Challenge<Content>>`
    select user_id as "userId", content from sign_in_challenges
    where id = ${idOf(text)} and kind = ${kind} and expires_at > ${ctx.now.toISOString()}`.execute(ctx.db);
  if (!rows[0]) throw new ApiError('challenge_expired');
  return rows[0];
}

/** Ends a challenge, in the transaction of what it allows: when that fails, it can be used again. Throws `challenge_expired`. */
export async function takeChallenge<Content = unknown>(
  ctx: OperationContext,
  kind: ChallengeKind,
  text: string,
): Promise<Challenge<Content>> {
  const { rows } = await sql<Challenge<Content>>`
    delete from sign_in_challenges
    where id = ${idOf(text)} and kind = ${kind} and expires_at > ${ctx.now.toISOString()}
    returning user_id as "userId", content`.execute(ctx.db);
  if (!rows[0]) throw new ApiError('challenge_expired');
  return rows[0];
}

/** Ends all challenges of an account, when its password changes. */
export async function endChallenges({ db }: OperationContext, userId: string): Promise<void> {
  await db.deleteFrom('sign_in_challenges').where('user_id', '=', userId).execute();
}

const idOf = (text: string): Buffer => hash('sha256', text, 'buffer');

export const challengeRetention = retentionOfTable({
  kind: 'sign_in_challenges',
  keptMs: 60 * MINUTE_MS,
  since: 'since it expired',
  table: 'sign_in_challenges',
  at: 'expires_at',
});
