import * as z from 'zod';
import { fieldErrorCodes, Limit, Line, pageOf, Timestamp, VisibleLine } from '../values/fields.ts';
import { Slug } from './access.ts';

/** A firm as the service's own staff see it in their list. */
export const StaffFirm = z.object({
  object: z.literal('staff_firm'),
  workspace: Slug,
  name: z.string(),
  state: z.enum(['served', 'suspended', 'deleting']),
  members: z.int(),
  /** When the firm is deleted, if its members have asked for it. */
  deletion_due_at: Timestamp.nullable(),
  created_at: Timestamp,
});
export type StaffFirm = z.infer<typeof StaffFirm>;

/** `q` is searched in the name and the slug. Sorted by slug. */
export const ListStaffFirmsInput = z.object({
  q: Line.max(100).optional(),
  limit: Limit,
  starting_after: Slug.optional().register(fieldErrorCodes, { code: 'invalid_cursor' }),
});
export const StaffFirmPage = pageOf(StaffFirm);

export const CreateFirmInput = z.object({ slug: Slug, name: VisibleLine.max(100) });

/** `reason` is in the audit log of the firm. */
export const StaffFirmInput = z.object({ workspace: Slug, reason: VisibleLine.max(300) });

export const FirmEntered = z.object({ object: z.literal('firm_entered'), workspace: Slug });
