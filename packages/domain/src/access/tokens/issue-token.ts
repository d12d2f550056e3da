import type { Scope, SignInMethod, TokenEnvironment, TokenKind } from '@firmdesk/contract';
import type { OperationContext } from '../../platform/database/context.ts';
import { generateToken } from './bearer-token.ts';
import { Token } from './token.entity.ts';

export interface IssueTokenInput {
  userId: string;
  workspaceId: number;
  kind: TokenKind;
  environment: TokenEnvironment;
  scopes: readonly Scope[];
  name?: string | null;
  expiresAt?: Date | null;
  revokedAt?: Date | null;
  lastUsedAt?: Date | null;
  createdAt?: Date;
  signedInBy?: SignInMethod | null;
  verifiedAt?: Date | null;
}

/** Creates a token. `text` is the plaintext, which is not stored. The caller decides which scopes are allowed. */
export function issueToken(
  { em, now }: OperationContext,
  input: IssueTokenInput,
): { token: Token; text: string } {
  const generated = generateToken(input.environment, now);
  const token = em.create(Token, {
    id: generated.id,
    userId: input.userId,
    workspaceId: input.workspaceId,
    kind: input.kind,
    environment: input.environment,
    name: input.name ?? null,
    secretHash: generated.secretHash,
    scopes: [...new Set(input.scopes)],
    createdAt: input.createdAt ?? now,
    lastUsedAt: input.lastUsedAt ?? null,
    expiresAt: input.expiresAt ?? null,
    revokedAt: input.revokedAt ?? null,
    signedInBy: input.signedInBy ?? null,
    verifiedAt: input.verifiedAt ?? null,
  });
  return { token, text: generated.text };
}
