import * as z from 'zod';
import { VisibleLine } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';
import { MAX_ATTACHMENT_BYTES, MAX_FILE_NAME_LENGTH, MAX_MESSAGE_ATTACHMENTS } from '../values/limits.ts';
import { attachmentTypes, scanStates } from '../values/schema-enumerations.ts';

/** A file of a message. Its content is at {@link attachmentPath}. */
export const Attachment = z.object({
  id: idOf('attachment').meta({
    description: 'The id of the file',
    examples: ['att_01m7yhs0v8m2p7r4t6w9x1z3b5'],
  }),
  name: z.string().meta({ description: 'The name to show to users', examples: ['statement.pdf'] }),
  type: z.enum(attachmentTypes).meta({
    description: 'The type of the content; `application/octet-stream` if the service does not recognize it',
    examples: ['application/pdf'],
  }),
  size: z.int().meta({ description: 'The number of bytes', examples: [48_213] }),
  deleted: z.boolean().meta({
    description: 'Whether the content was deleted, because the account of the trader or the author was',
    examples: [false],
  }),
  program: z
    .boolean()
    .optional()
    .meta({
      description: 'Whether the content is a program; absent for other files',
      examples: [true],
    }),
  scan: z
    .enum(scanStates)
    .optional()
    .meta({
      description:
        'What a scan for malware has found: only `clean` files can be read; absent if the file is not scanned',
      examples: ['clean'],
    }),
});
export type Attachment = z.infer<typeof Attachment>;

/** A file whose content will be sent. */
export const AnnouncedFile = z.object({
  name: VisibleLine.max(MAX_FILE_NAME_LENGTH).meta({ description: 'The name to show to users' }),
  size: z
    .int()
    .min(1, 'must not be empty')
    .max(MAX_ATTACHMENT_BYTES, 'must have at most 25 MB')
    .meta({ description: 'The number of bytes' }),
});
export type AnnouncedFile = z.output<typeof AnnouncedFile>;

/** Announces a file of a ticket. Its content is then sent to {@link attachmentPath} with `PUT`. */
export const CreateAttachmentInput = AnnouncedFile.extend({ ticket: idOf('ticket') });

export const AttachmentRef = z.object({ id: idOf('attachment') });
export const AttachmentCreated = z.object({ object: z.literal('attachment_upload'), id: idOf('attachment') });
export const AttachmentRemoved = z.object({
  object: z.literal('attachment_removed'),
  id: idOf('attachment'),
});

/** The uploaded files of a message, in the order in which they are shown. */
export const MessageAttachments = z
  .array(idOf('attachment'))
  .max(MAX_MESSAGE_ATTACHMENTS, `must be at most ${MAX_MESSAGE_ATTACHMENTS} files`)
  .refine((ids) => new Set(ids).size === ids.length, 'must not contain a file twice')
  .default([]);
