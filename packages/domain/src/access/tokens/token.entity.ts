import type { Scope, SignInMethod, TokenEnvironment, TokenKind } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/user.entity.ts';
import { Workspace } from '../workspaces/workspace.entity.ts';

/** A bearer token: an API key, or the session of a signed-in device. Only a hash of its secret is stored. */
export const TokenSchema = defineEntity({
  name: 'Token',
  tableName: 'tokens',
  properties: {
    id: p.text().primary(),
    userId: p.manyToOne(User).mapToPk().fieldName('user_id'),
    workspaceId: p.manyToOne(Workspace).mapToPk().fieldName('workspace_id'),
    kind: p.text().$type<TokenKind>(),
    environment: p.text().$type<TokenEnvironment>(),
    name: p.text().nullable(),
    /** SHA-256 of the secret, which has 200 random bits: a slow hash would not add security. */
    secretHash: p.blob(),
    /** The secret before the last rotation, and until when it is accepted. */
    previousSecretHash: p.blob().nullable(),
    previousSecretUntil: p.datetime(3).nullable(),
    scopes: p.array().$type<Scope[]>().columnType('text[]'),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3).nullable(),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    /** How a session was opened, and when the person last proved who holds it. Null for an API key. */
    signedInBy: p.text().$type<SignInMethod>().nullable(),
    verifiedAt: p.datetime(3).nullable(),
    /** The firms that a session of the staff has entered, with a reason in the audit log of each. */
    enteredFirms: p.array().$type<number[]>().columnType('integer[]').default([]),
    /** The transaction that last revoked it or changed its rights; null for none (see `token-rights.ts`). */
    rightsChangedIn: p.string().columnType('xid8').nullable(),
  },
});
export class Token extends TokenSchema.class {}
TokenSchema.setClass(Token);
