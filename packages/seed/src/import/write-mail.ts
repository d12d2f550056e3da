import { addToDirectory, mailSearchText, requestThreadWake, snippetOf } from '@firmdesk/domain/import';
import { sql } from 'kysely';
import type { SeedRecord } from '../schema.ts';
import { type ImportContext, person, timestampOf, workspaceId } from './context.ts';
import { idsAt, serialIds } from './ids.ts';
import { insertRows } from './insert-rows.ts';

export async function writeMailboxes(
  ctx: ImportContext,
  mailboxes: readonly SeedRecord<'mailboxes'>[],
): Promise<void> {
  const now = ctx.now.toISOString();
  const ids = await serialIds(ctx.sql, 'mailboxes', mailboxes);
  const rows = mailboxes.map(({ firm, email, name, signature, absence }, i) => ({
    id: ids[i]!,
    workspace_id: workspaceId(ctx, firm),
    email,
    name,
    signature,
    absence: absence == null ? null : absenceRow(ctx, absence),
    created_at: now,
  }));
  const members = mailboxes.flatMap(({ members }, i) =>
    members.map(({ user, can_write, notify }) => ({
      workspace_id: rows[i]!.workspace_id,
      mailbox_id: ids[i]!,
      user_id: person(ctx, user).id,
      can_write,
      notify,
    })),
  );
  await insertRows(ctx.sql, 'mailboxes', rows);
  await addToDirectory(ctx.sql, rows);
  const aliases = mailboxes.flatMap(({ aliases }, i) =>
    aliases.map(({ email, tickets }) => ({
      address: email.toLowerCase(),
      workspace_id: rows[i]!.workspace_id,
      mailbox_id: ids[i]!,
      tickets: tickets ?? null,
    })),
  );
  await insertRows(ctx.sql, 'mailbox_addresses', aliases);
  for (const { email, tickets } of mailboxes)
    if (tickets != null)
      await sql`
        update mailbox_addresses set tickets = ${tickets}
        where address = ${email.toLowerCase()}`.execute(ctx.sql);
  await insertRows(ctx.sql, 'mailbox_members', members);
  for (const [i, { key }] of mailboxes.entries()) {
    ctx.idMap.set('mailboxes', key, ids[i]!);
    ctx.mailboxFirms.set(ids[i]!, rows[i]!.workspace_id);
  }
}

function absenceRow(
  ctx: ImportContext,
  { author, starts_at, ends_at, ...absence }: NonNullable<SeedRecord<'mailboxes'>['absence']>,
) {
  return { ...absence, starts_at, ends_at, user_id: person(ctx, author).id };
}

type Message = SeedRecord<'messages'>;
type Correspondent = Message['from'];

export async function writeMessages(ctx: ImportContext, messages: readonly Message[]): Promise<void> {
  await writeThreads(ctx, messages);
  const now = ctx.now.toISOString();
  const times = messages.map(({ message_at }) => timestampOf(ctx, message_at));
  const ids = idsAt('mailMessage', times);
  const rows = messages.map((message, i) => ({
    ...mailboxOf(ctx, message.mailbox),
    id: message.id ?? ids[i]!,
    thread_id: ctx.idMap.get('threads', threadKey(message)),
    folder: message.folder,
    previous_folder: message.previous_folder ?? null,
    from_email: message.from.email,
    from_name: message.from.name ?? null,
    to_recipients: message.to.map(recipient),
    cc_recipients: message.cc.map(recipient),
    bcc_recipients: [],
    subject: message.subject,
    body: message.body,
    snippet: snippetOf(message.body),
    search_text: mailSearchText({
      from: recipient(message.from),
      recipients: [...message.to, ...message.cc].map(recipient),
      subject: message.subject,
      body: message.body,
      files: [],
    }),
    is_read: message.read,
    message_at: times[i]!,
    reference_ids: [],
    created_at: now,
  }));
  await insertRows(ctx.sql, 'mail_messages', rows);
  for (const [i, { key }] of messages.entries()) ctx.idMap.set('messages', key, rows[i]!.id);
  const tags = messages.flatMap(({ tags }, i) =>
    tags.map((tag) => ({
      workspace_id: rows[i]!.workspace_id,
      thread_id: rows[i]!.thread_id,
      tag_id: ctx.idMap.get('tags', tag),
    })),
  );
  await markThreads(ctx, rows, messages);
  // The messages of a conversation have the same tags.
  await sql`
    insert into mail_thread_tags (workspace_id, thread_id, tag_id)
    select workspace_id, thread_id, tag_id from jsonb_to_recordset(${JSON.stringify(tags)}::jsonb)
      as t (workspace_id integer, thread_id bigint, tag_id integer)
    on conflict do nothing`.execute(ctx.sql);
}

/** Stars and snoozes conversations as their messages say. */
async function markThreads(
  ctx: ImportContext,
  rows: readonly { workspace_id: number; thread_id: number }[],
  messages: readonly Message[],
): Promise<void> {
  const marks = new Map<number, { workspace_id: number; starred: boolean; until: string | null }>();
  for (const [i, { starred, snoozed_until }] of messages.entries()) {
    const { workspace_id, thread_id } = rows[i]!;
    const until = snoozed_until == null ? null : new Date(timestampOf(ctx, snoozed_until)).toISOString();
    if (starred || until !== null) marks.set(thread_id, { workspace_id, starred, until });
  }
  for (const [firm, ofFirm] of Map.groupBy(marks, ([, { workspace_id }]) => workspace_id)) {
    const threads = ofFirm.map(([id, { starred, until }]) => ({ id, starred, until }));
    await sql`
      update mail_threads t set is_starred = m.starred, snoozed_until = m.until
      from json_to_recordset(${JSON.stringify(threads)}::json) as m (id bigint, starred boolean, until timestamptz)
      where t.workspace_id = ${firm} and t.id = m.id`.execute(ctx.sql);
    for (const { id, until } of threads) if (until !== null) await requestThreadWake(ctx, firm, id, until);
  }
}

/** Creates the threads that do not exist yet. */
async function writeThreads(ctx: ImportContext, messages: readonly Message[]): Promise<void> {
  const mailboxes = new Map<string, string>();
  for (const message of messages) {
    const key = threadKey(message);
    if (ctx.idMap.find('threads', key) === undefined) mailboxes.set(key, message.mailbox);
  }
  const newThreads = [...mailboxes];
  const ids = await serialIds(
    ctx.sql,
    'mail_threads',
    newThreads.map(() => ({})),
  );
  const rows = newThreads.map(([, mailbox], i) => ({
    id: ids[i]!,
    ...mailboxOf(ctx, mailbox),
    created_at: ctx.now.toISOString(),
  }));
  await insertRows(ctx.sql, 'mail_threads', rows);
  for (const [i, [key]] of newThreads.entries()) ctx.idMap.set('threads', key, ids[i]!);
}

function mailboxOf({ idMap, mailboxFirms }: ImportContext, key: string) {
  const id = idMap.get('mailboxes', key);
  return { workspace_id: mailboxFirms.get(id)!, mailbox_id: id };
}

/** Thread names are unique within their mailbox. */
function threadKey({ mailbox, thread }: Message): string {
  return JSON.stringify([mailbox, thread]);
}

function recipient({ email, name }: Correspondent) {
  return { email, name: name ?? null };
}
