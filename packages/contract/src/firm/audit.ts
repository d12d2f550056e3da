import * as z from 'zod';
import { auditKinds } from '../values/enumerations.ts';
import { fieldErrorCodes, Limit, Line, pageOf, Timestamp } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';

/**
 * A change in the audit log. `actor`: an account, an operator of the service, or the service itself; `name` is null for an operator and the
 * service. `before` and `after` have what was changed, without names, texts and secrets.
 */
export const AuditEntry = z.object({
  object: z.literal('audit_event'),
  id: z.int(),
  created_at: Timestamp,
  actor: z.object({
    kind: z.enum(['account', 'operator', 'system']),
    id: z.string().nullable(),
    name: z.string().nullable(),
  }),
  /** The network of the caller; null for what no call has changed. */
  network: z.string().nullable(),
  action: z.string(),
  target: z.object({ type: z.string(), id: z.string(), name: z.string().nullable() }),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/**
 * Newest first. Changes of tickets are listed only for the `target` of a ticket. `since` and `until` are days in the caller's time zone, both
 * included.
 */
export const ListAuditInput = z.object({
  person: idOf('user').optional(),
  kind: z.enum(auditKinds).optional(),
  target: Line.max(100).optional(),
  since: z.iso.date().optional(),
  until: z.iso.date().optional(),
  limit: Limit,
  /** The time and the id of the last entry of the page before. */
  starting_after: z
    .string()
    .regex(/^\d{1,13}\.\d{1,15}$/)
    .optional()
    .register(fieldErrorCodes, { code: 'invalid_cursor' }),
});
export const AuditPage = pageOf(AuditEntry);
