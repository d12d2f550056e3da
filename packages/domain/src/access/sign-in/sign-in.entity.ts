import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/user.entity.ts';
import type { ChallengeKind } from './challenges.ts';

/** The authenticator app of an account (RFC 6238). */
export const SecondFactorSchema = defineEntity({
  name: 'SecondFactor',
  tableName: 'second_factors',
  properties: {
    userId: p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
    /** Sealed (see `seal.ts`). */
    secret: p.blob(),
    createdAt: p.datetime(3),
    /** Null until a code has shown that the app has the secret. */
    confirmedAt: p.datetime(3).nullable(),
    /** The time step of the last code that was accepted: none is accepted twice. */
    lastStep: p.integer().columnType('bigint'),
  },
});

/** A recovery code that was not used: the SHA-256 of its 80 random bits. */
export const RecoveryCodeSchema = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  properties: {
    userId: p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
    codeHash: p.blob().primary(),
  },
});

/** A passkey of an account (WebAuthn). */
export const PasskeySchema = defineEntity({
  name: 'Passkey',
  tableName: 'passkeys',
  properties: {
    id: p.uuid().primary(),
    userId: p.manyToOne(User).mapToPk().fieldName('user_id'),
    credentialId: p.text(),
    publicKey: p.blob(),
    signCount: p.integer().columnType('bigint'),
    transports: p.array().columnType('text[]'),
    name: p.text(),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3).nullable(),
  },
});

/** What a sign-in waits for (see `challenges.ts`). */
export const SignInChallengeSchema = defineEntity({
  name: 'SignInChallenge',
  tableName: 'sign_in_challenges',
  properties: {
    id: p.blob().primary(),
    kind: p.text().$type<ChallengeKind>(),
    userId: p.manyToOne(User).mapToPk().fieldName('user_id').nullable(),
    content: p.json(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
});
