import {
  ApiKeyRef,
  ApiKeyRevoked,
  ApiKeys,
  ApiKeyWithSecret,
  CreateApiKeyInput,
  RotateApiKeyInput,
} from '@firmdesk/contract';
import { adminProcedure, NoInput, router } from '../../procedures/trpc.ts';
import { createKey, revokeKey, rotateKey } from './change-keys.ts';
import { listKeys } from './list-keys.ts';

// The keys of the sandbox are managed with those of the firm, by a live token.
const access = { tag: 'Firm', permissions: ['manage_tokens'], liveOnly: true } as const;
const managing = { ...access, scope: 'admin:write', fresh: true } as const;
/** The response contains a secret, which is not stored for a replay. */
const once = { hasSecret: true, withoutIdempotencyKey: true } as const;

export const keysRouter = router({
  list: adminProcedure({
    ...access,
    scope: 'admin:read',
    summary: 'List the API keys of the firm and of its test data',
    input: NoInput,
    output: ApiKeys,
  }).query(async ({ ctx }) => ({ data: await listKeys(ctx) })),

  create: adminProcedure({
    ...managing,
    ...once,
    summary: 'Create an API key of the caller; its secret is shown once',
    status: [201],
    input: CreateApiKeyInput,
    output: ApiKeyWithSecret,
  }).mutation(({ ctx, input }) => createKey(ctx, input)),

  rotate: adminProcedure({
    ...managing,
    ...once,
    summary: 'Give an API key of the caller a new secret',
    errors: ['resource_not_found'],
    input: RotateApiKeyInput,
    output: ApiKeyWithSecret,
  }).mutation(({ ctx, input }) => rotateKey(ctx, input)),

  revoke: adminProcedure({
    ...managing,
    summary: 'Revoke an API key of any member',
    errors: ['resource_not_found'],
    input: ApiKeyRef,
    output: ApiKeyRevoked,
  }).mutation(async ({ ctx, input }) => {
    await revokeKey(ctx, input);
    return { object: 'api_key_revoked' as const, id: input.id };
  }),
});
