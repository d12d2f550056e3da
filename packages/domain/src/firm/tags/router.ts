import {
  CreateTagInput,
  FirmTag,
  FirmTags,
  MergeTagsInput,
  TagDeleted,
  TagRef,
  UpdateTagInput,
} from '@firmdesk/contract';
import { adminProcedure, NoInput, router } from '../../procedures/trpc.ts';
import { createTag, deleteTag, mergeTags, updateTag } from './change-tags.ts';
import { listFirmTags } from './list-tags.ts';

const access = { tag: 'Firm', permissions: ['manage_settings'] } as const;
const managing = { ...access, scope: 'admin:write' } as const;

/** The tags of tickets, mail and events. */
export const tagsRouter = router({
  list: adminProcedure({
    ...access,
    scope: 'admin:read',
    summary: 'List the firm’s tags, with how often each is used',
    input: NoInput,
    output: FirmTags,
  }).query(async ({ ctx }) => ({ data: await listFirmTags(ctx) })),

  create: adminProcedure({
    ...managing,
    summary: 'Create a tag',
    status: [201],
    input: CreateTagInput,
    output: FirmTag,
  }).mutation(({ ctx, input }) => createTag(ctx, input)),

  update: adminProcedure({
    ...managing,
    summary: 'Change the name and the colour of a tag',
    errors: ['resource_not_found'],
    input: UpdateTagInput,
    output: FirmTag,
  }).mutation(({ ctx, input }) => updateTag(ctx, input)),

  merge: adminProcedure({
    ...managing,
    summary: 'Replace a tag by another wherever it is used, and delete it',
    errors: ['resource_not_found'],
    input: MergeTagsInput,
    output: FirmTag,
  }).mutation(({ ctx, input }) => mergeTags(ctx, input)),

  delete: adminProcedure({
    ...managing,
    summary: 'Delete a tag',
    errors: ['resource_not_found'],
    input: TagRef,
    output: TagDeleted,
  }).mutation(async ({ ctx, input }) => {
    await deleteTag(ctx, input);
    return { object: 'tag_deleted' as const, id: input.id };
  }),
});
