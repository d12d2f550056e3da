import type { MailboxSettings, SaveMailboxSettingsInput } from '@firmdesk/contract';
import type { z } from 'zod';
import { ApiError } from '../../platform/process/errors.ts';
import { Mailbox } from '../mail.entity.ts';
import { type ReaderContext, writableMailbox } from './mailbox-access.ts';

const NO_ABSENCE: MailboxSettings['absence'] = {
  is_on: false,
  subject: '',
  text: '',
  starts_at: null,
  ends_at: null,
};

/** Returns the settings of a mailbox. Throws `resource_not_found` if the caller may not write from it. */
export async function getMailboxSettings(
  ctx: ReaderContext,
  { address_id }: { address_id: number },
): Promise<MailboxSettings> {
  return settingsOf(await findWritable(ctx, address_id));
}

/** Replaces the settings of a mailbox. Throws as {@link getMailboxSettings}. */
export async function saveMailboxSettings(
  ctx: ReaderContext,
  { address_id, signature, absence }: z.output<typeof SaveMailboxSettingsInput>,
): Promise<MailboxSettings> {
  const mailbox = await findWritable(ctx, address_id);
  mailbox.signature = signature;
  mailbox.absence = { ...absence, user_id: ctx.identity.user.id };
  return settingsOf(mailbox);
}

async function findWritable(ctx: ReaderContext, addressId: number): Promise<Mailbox> {
  const found = await writableMailbox(ctx, addressId).executeTakeFirst();
  if (!found) throw new ApiError('resource_not_found');
  return ctx.em.findOneOrFail(Mailbox, { workspaceId: ctx.workspace.id, id: found.id });
}

function settingsOf({ id, signature, absence }: Mailbox): MailboxSettings {
  const { user_id: _, ...shown } = absence ?? { ...NO_ABSENCE, user_id: '' };
  return { object: 'mailbox_settings', address_id: id, signature, absence: shown };
}
