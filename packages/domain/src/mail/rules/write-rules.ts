import { randomUUID } from 'node:crypto';
import {
  type DeleteRuleInput,
  type ListRulesInput,
  MAX_FORWARDING_RULES,
  MAX_MAIL_RULES,
  type MailRules,
  type MoveMailRuleInput,
  type SaveRuleInput,
} from '@firmdesk/contract';
import { LockMode } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { findTags, listTags } from '../../access/workspaces/find-tags.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import { Mailbox, type StoredRule } from '../mail.entity.ts';
import { type ReaderContext, writableMailbox } from '../mailboxes/mailbox-access.ts';
import { findAddress } from '../mailboxes/mailbox-directory.ts';
import { publishMail } from '../streams/publish-mail.ts';

/** Returns the rules of a mailbox, without tags that were deleted. Throws `resource_not_found` if the caller may not write from it. */
export async function listRules(
  ctx: ReaderContext,
  { address_id }: z.output<typeof ListRulesInput>,
): Promise<MailRules> {
  return shown(ctx, await findMailbox(ctx, address_id));
}

/**
 * Adds a rule behind the others, or replaces one, in the name of the caller. Throws `resource_not_found` (mailbox, rule), `validation_failed` if a tag or the
 * address is not of the firm, the address opens tickets, or the mailbox has too many rules.
 */
export async function saveRule(
  ctx: ReaderContext,
  { address_id, id, ...values }: z.output<typeof SaveRuleInput>,
): Promise<MailRules> {
  await findTags(ctx, values.add_tags, 'add_tags');
  const mailbox = await findMailbox(ctx, address_id, LockMode.PESSIMISTIC_WRITE);
  await checkForward(ctx, mailbox, values.forward_to);
  const rule = { ...values, id: id ?? randomUUID(), user_id: ctx.identity.user.id };
  const at = id === undefined ? mailbox.rules.length : placeOf(mailbox, id);
  const rules = mailbox.rules.toSpliced(at, 1, rule);
  if (rules.length > MAX_MAIL_RULES)
    throw invalidField('address_id', `must be a mailbox with fewer than ${MAX_MAIL_RULES} rules`);
  if (
    values.forward_to !== null &&
    rules.filter(({ forward_to }) => forward_to !== null).length > MAX_FORWARDING_RULES
  )
    throw invalidField('forward_to', `must be in at most ${MAX_FORWARDING_RULES} rules of a mailbox`);
  return replace(ctx, mailbox, rules);
}

/** Moves a rule. Throws `resource_not_found` (mailbox, rule). */
export async function moveRule(
  ctx: ReaderContext,
  { address_id, id, before }: z.output<typeof MoveMailRuleInput>,
): Promise<MailRules> {
  const mailbox = await findMailbox(ctx, address_id, LockMode.PESSIMISTIC_WRITE);
  const [rule] = mailbox.rules.slice(placeOf(mailbox, id));
  if (before === id) return shown(ctx, mailbox);
  const others = mailbox.rules.filter((each) => each.id !== id);
  const at = before === null ? others.length : others.findIndex((each) => each.id === before);
  if (at < 0) throw new ApiError('resource_not_found');
  return replace(ctx, mailbox, others.toSpliced(at, 0, rule!));
}

/** Deletes a rule. Throws `resource_not_found` (mailbox, rule). */
export async function deleteRule(
  ctx: ReaderContext,
  { address_id, id }: z.output<typeof DeleteRuleInput>,
): Promise<MailRules> {
  const mailbox = await findMailbox(ctx, address_id, LockMode.PESSIMISTIC_WRITE);
  return replace(ctx, mailbox, mailbox.rules.toSpliced(placeOf(mailbox, id), 1));
}

async function findMailbox(
  ctx: ReaderContext,
  addressId: number,
  lockMode = LockMode.NONE,
): Promise<Mailbox> {
  const found = await writableMailbox(ctx, addressId).executeTakeFirst();
  if (!found) throw new ApiError('resource_not_found');
  return ctx.em.findOneOrFail(Mailbox, { workspaceId: ctx.workspace.id, id: found.id }, { lockMode });
}

function placeOf({ rules }: Mailbox, id: string): number {
  const at = rules.findIndex((rule) => rule.id === id);
  if (at < 0) throw new ApiError('resource_not_found');
  return at;
}

async function checkForward(ctx: ReaderContext, { id }: Mailbox, to: string | null): Promise<void> {
  const found = to === null ? undefined : await findAddress(ctx.db, to);
  if (found === undefined) return;
  const isOther = found?.mailbox.workspaceId === ctx.workspace.id && found.mailbox.mailboxId !== id;
  if (!isOther) throw invalidField('forward_to', 'must be the address of another mailbox of the firm');
  if (found.ticketsOf !== null) throw invalidField('forward_to', 'must not be an address that opens tickets');
}

async function replace(ctx: ReaderContext, mailbox: Mailbox, rules: StoredRule[]): Promise<MailRules> {
  mailbox.rules = rules;
  await publishMail(ctx, ctx.workspace.id, [mailbox.id]);
  return shown(ctx, mailbox);
}

async function shown(ctx: ReaderContext, { id, rules }: Mailbox): Promise<MailRules> {
  const tags = new Set((await listTags(ctx)).map((tag) => tag.id));
  return {
    object: 'mail_rules',
    address_id: id,
    rules: rules.map(({ user_id: _, add_tags, ...rule }) => ({
      ...rule,
      add_tags: add_tags.filter((tag) => tags.has(tag)),
    })),
  };
}
