import { MAX_CORRESPONDENTS, type MailRecipient } from '@firmdesk/contract';
import { sql } from 'kysely';
import { ACCOUNTS, IS_ADMIN } from '../../access/policy.ts';
import { type ReaderContext, readableMailboxes } from './mailbox-access.ts';

/** How many of the newest messages of a folder of each mailbox are read. */
const MAX_READ = 500;

/**
 * Returns people to write to, the likeliest first: those to whom the caller's mailboxes wrote last, those who wrote to them, and to a member of
 * the team the other members.
 */
export async function listCorrespondents(ctx: ReaderContext): Promise<MailRecipient[]> {
  const { db, workspace } = ctx;
  const newest = (folder: string) => sql`
    select n.from_email, n.from_name, n.to_recipients, n.cc_recipients, n.message_at
    from ${readableMailboxes(ctx).select('b.id')} box cross join lateral (
      select m.from_email, m.from_name, m.to_recipients, m.cc_recipients, m.message_at from mail_messages m
      where m.workspace_id = ${workspace.id} and m.mailbox_id = box.id and m.folder = ${folder}
      order by m.message_at desc, m.id desc limit ${MAX_READ}) n`;
  const { rows } = await sql<MailRecipient & { rank: number }>`
    select r.email, r.name, 0 as rank, s.message_at from (${newest('sent')}) s
    cross join lateral jsonb_to_recordset(s.to_recipients || s.cc_recipients) as r(email text, name text)
    union all
    select i.from_email, i.from_name, 1, i.message_at from (${newest('inbox')}) i
    union all
    select a.from_email, a.from_name, 1, a.message_at from (${newest('archive')}) a
    order by rank, message_at desc limit 10000`.execute(db);
  return distinct([...rows, ...(await listMembers(ctx))]).slice(0, MAX_CORRESPONDENTS);
}

/** Returns the administrators of the firm, to one of them. */
async function listMembers({ db, workspace, identity }: ReaderContext): Promise<MailRecipient[]> {
  const isAdmin = sql.raw(IS_ADMIN);
  const { rows } = await sql<MailRecipient>`
    select u.email, u.name from ${sql.raw(ACCOUNTS)}
    where h.id = ${workspace.id} and ${isAdmin} and u.id <> ${identity.user.id}
      and exists (select from ${sql.raw(ACCOUNTS)} where h.id = ${workspace.id} and u.id = ${identity.user.id} and ${isAdmin})
    order by lower(u.name), u.id limit 1000`.execute(db);
  return rows;
}

/** Returns each person once: with the first name that is known, at the first place. */
function distinct(people: readonly MailRecipient[]): MailRecipient[] {
  const found = new Map<string, MailRecipient>();
  for (const { email, name } of people) {
    const key = email.toLowerCase();
    if (email === '') continue;
    const known = found.get(key);
    if (!known) found.set(key, { email, name: name || null });
    else if (known.name === null && name) known.name = name;
  }
  return [...found.values()];
}
