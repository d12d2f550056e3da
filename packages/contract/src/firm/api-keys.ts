import * as z from 'zod';
import { Timestamp, VisibleLine } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';
import { MAX_KEY_DAYS, MAX_KEY_OVERLAP_HOURS } from '../values/limits.ts';
import { tokenEnvironments } from '../values/schema-enumerations.ts';
import { Scope } from './access.ts';

/**
 * An API key of a member, for the firm or for its test data. It has the rights of the member, limited to its scopes. `previous_until`: until
 * when the secret before the last rotation is accepted.
 */
export const ApiKey = z.object({
  object: z.literal('api_key'),
  id: idOf('token'),
  name: z.string().nullable(),
  environment: z.enum(tokenEnvironments),
  scopes: z.array(Scope),
  member: z.object({ id: idOf('user'), name: z.string() }),
  created_at: Timestamp,
  last_used_at: Timestamp.nullable(),
  expires_at: Timestamp.nullable(),
  previous_until: Timestamp.nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** The keys that were not revoked, newest first. */
export const ApiKeys = z.object({ data: z.array(ApiKey) });

/**
 * The scopes of a key that a member can create and rotate. The platform's services get theirs from an operator: such keys need no permissions of their
 * member.
 */
export const KeyScope = Scope.exclude(['platform:write', 'affiliates:write']);

export const CreateApiKeyInput = z.object({
  name: VisibleLine.max(100),
  environment: z.enum(tokenEnvironments),
  scopes: z.array(KeyScope).min(1).max(KeyScope.options.length),
  expires_in_days: z.int().min(1).max(MAX_KEY_DAYS).nullable().default(null),
});

export const ApiKeyRef = z.object({ id: idOf('token') });

/** `overlap_hours`: for how long the last secret is accepted. */
export const RotateApiKeyInput = ApiKeyRef.extend({
  overlap_hours: z.int().min(0).max(MAX_KEY_OVERLAP_HOURS).default(24),
});

/** The only response with the secret of the key. */
export const ApiKeyWithSecret = ApiKey.extend({ token: z.string() });

export const ApiKeyRevoked = z.object({ object: z.literal('api_key_revoked'), id: idOf('token') });
