import * as z from 'zod';
import { AnyText, Line, Timestamp } from '../values/fields.ts';
import { IntegerId } from '../values/ids.ts';
import { MAX_ABSENCE_TEXT, MAX_SIGNATURE, MAX_SUBJECT } from '../values/limits.ts';

const settings = {
  /** Plain text below what is written from the mailbox. */
  signature: AnyText.max(MAX_SIGNATURE),
  /** The automatic answer to people who write while nobody is there. */
  absence: z.object({
    is_on: z.boolean(),
    /** Without one, that of the message with `Re:`. */
    subject: Line.max(MAX_SUBJECT),
    text: AnyText.max(MAX_ABSENCE_TEXT),
    starts_at: Timestamp.nullable().meta({ examples: [null] }),
    ends_at: Timestamp.nullable().meta({ examples: [null] }),
  }),
};

/** The settings of a mailbox, which all who write from it share. */
export const MailboxSettings = z.object({
  object: z.literal('mailbox_settings'),
  address_id: IntegerId,
  ...settings,
});
export type MailboxSettings = z.infer<typeof MailboxSettings>;

export const GetMailboxSettingsInput = z.object({ address_id: z.int() });

export const SaveMailboxSettingsInput = z
  .object({ address_id: z.int(), ...settings })
  .refine(({ absence: { is_on, text } }) => !is_on || text.trim() !== '', {
    path: ['absence', 'text'],
    error: 'must not be empty while the answer is on',
  })
  .refine(
    ({ absence: { starts_at, ends_at } }) => starts_at === null || ends_at === null || starts_at < ends_at,
    { path: ['absence', 'ends_at'], error: 'must be after the start' },
  );
