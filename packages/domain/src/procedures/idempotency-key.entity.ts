import { defineEntity, p } from '@mikro-orm/core';

/** The answer to a POST with a key, for replay. */
export const IdempotencyKeySchema = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  properties: {
    /** SHA-256 of token, method, path and key: the key itself is not stored. */
    id: p.blob().primary(),
    bodyHash: p.blob(),
    status: p.smallint().nullable(),
    answer: p.blob().nullable(),
    createdAt: p.datetime(3),
  },
});
