import {
  AttachmentCreated,
  AttachmentRef,
  AttachmentRemoved,
  CreateAttachmentInput,
} from '@firmdesk/contract';
import { adminProcedure, router } from '../procedures/trpc.ts';
import { createAttachment } from './create-attachment.ts';
import { removeAttachment } from './remove-attachment.ts';

const managing = {
  tag: 'Tickets',
  scope: 'admin:write',
  permissions: ['view_tickets', 'manage_tickets'],
} as const;

export const attachmentsRouter = router({
  create: adminProcedure({
    ...managing,
    summary: 'Announce a file of a ticket, whose content is then uploaded',
    status: [201],
    errors: ['resource_not_found', 'attachment_limit_reached'],
    input: CreateAttachmentInput,
    output: AttachmentCreated,
  }).mutation(({ ctx, input }) => createAttachment(ctx, input)),

  remove: adminProcedure({
    ...managing,
    summary: 'Remove an own file that no message contains',
    errors: ['resource_not_found'],
    input: AttachmentRef,
    output: AttachmentRemoved,
  }).mutation(async ({ ctx, input }) => {
    await removeAttachment(ctx, input);
    return { object: 'attachment_removed' as const, id: input.id };
  }),
});
