import * as z from 'zod';
import { Email } from '../mail/email.ts';
import { VisibleLine } from '../values/fields.ts';
import { IntegerId, idOf } from '../values/ids.ts';
import { MAX_MAILBOX_ALIASES } from '../values/limits.ts';

/** Whose mail to a mailbox opens tickets: of members of the firm, of anyone, or null if it is only mail. */
const OpensTickets = z.enum(['members', 'anyone']).nullable();

/** A mailbox of the firm. `aliases`: the addresses beside its own at which it gets mail. */
export const FirmMailbox = z.object({
  object: z.literal('firm_mailbox'),
  id: z.int(),
  email: z.string(),
  name: z.string(),
  signature: z.string(),
  aliases: z.array(z.string()),
  opens_tickets: OpensTickets,
  members: z.array(z.object({ id: idOf('user'), name: z.string(), can_write: z.boolean() })),
});
export type FirmMailbox = z.infer<typeof FirmMailbox>;

/** Sorted by address. */
export const FirmMailboxes = z.object({ data: z.array(FirmMailbox) });

const MailboxName = VisibleLine.max(100);
const members = z.array(z.object({ id: idOf('user'), can_write: z.boolean().default(true) })).max(500);
const aliases = z.array(Email).max(MAX_MAILBOX_ALIASES);

export const CreateFirmMailboxInput = z.object({
  email: Email,
  name: MailboxName,
  members: members.default([]),
  opens_tickets: OpensTickets.default(null),
});

/** `members` and `aliases` replace those of the mailbox. What is left out stays. */
export const UpdateFirmMailboxInput = z.object({
  id: IntegerId,
  name: MailboxName.optional(),
  members: members.optional(),
  aliases: aliases.optional(),
  opens_tickets: OpensTickets.optional(),
});
