import * as z from 'zod';
import { VisibleLine } from '../values/fields.ts';
import { IntegerId } from '../values/ids.ts';
import { MAX_TAG_NAME } from '../values/limits.ts';

/** A tag of the firm with how often it is used: each number is counted up to a bound. */
export const FirmTag = z.object({
  object: z.literal('firm_tag'),
  id: z.int(),
  name: z.string(),
  color: z.string(),
  tickets: z.int(),
  conversations: z.int(),
  events: z.int(),
});
export type FirmTag = z.infer<typeof FirmTag>;

/** Sorted by name. */
export const FirmTags = z.object({ data: z.array(FirmTag) });

const TagName = VisibleLine.max(MAX_TAG_NAME);
const TagColor = z.string().regex(/^#[0-9a-f]{6}$/, 'must be a colour such as "#3451c7"');

export const CreateTagInput = z.object({ name: TagName, color: TagColor });

/** What is left out stays. */
export const UpdateTagInput = z.object({
  id: IntegerId,
  name: TagName.optional(),
  color: TagColor.optional(),
});

/** `into`: the tag that what has the other one gets instead. */
export const MergeTagsInput = z.object({ id: IntegerId, into: IntegerId });

export const TagRef = z.object({ id: IntegerId });

export const TagDeleted = z.object({ object: z.literal('tag_deleted'), id: z.int() });
