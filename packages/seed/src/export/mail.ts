import type { Absence } from '@firmdesk/domain/import';
import { sql } from 'kysely';
import { EmailAddress } from '../fields.ts';
import type { SeedRecordInput } from '../schema.ts';
import { type ExportContext, PAGE, pagesOf, pagesOfTable, rowsBy } from './context.ts';

/** The size of the bodies that are read at once. */
const CHUNK_BYTES = 4_000_000;
/** For a sender whose address is not one, as in some spam. */
const UNKNOWN_SENDER = 'unknown@sender.invalid';

export async function* exportMailboxes(ctx: ExportContext): AsyncGenerator<SeedRecordInput<'mailboxes'>[]> {
  for await (const mailboxes of pagesOfTable(ctx, 'mailboxes')) {
    const ids = mailboxes.map(({ id }) => id);
    const members = await rowsBy(ctx, 'mailbox_members', 'mailbox_id', ids, ['user_id']);
    const addresses = await rowsBy(ctx, 'mailbox_addresses', 'mailbox_id', ids, ['address']);
    yield mailboxes.map(({ id, email, name, signature, absence }) => ({
      key: String(id),
      id,
      firm: ctx.slug,
      email,
      name,
      members: members(id).map(({ user_id, can_write, notify }) => ({ user: user_id, can_write, notify })),
      ...addressesOf(email, addresses(id)),
      signature,
      ...absenceOf(
        absence,
        members(id).map(({ user_id }) => user_id),
      ),
    }));
  }
}

/** Returns what mail to the address of a mailbox opens, and its other addresses. */
function addressesOf(
  email: string,
  addresses: readonly { address: string; tickets: 'members' | 'anyone' | null }[],
): Pick<SeedRecordInput<'mailboxes'>, 'tickets' | 'aliases'> {
  const isOwn = ({ address }: { address: string }) => address === email.toLowerCase();
  const tickets = addresses.find(isOwn)?.tickets ?? null;
  return {
    ...(tickets !== null && { tickets }),
    aliases: addresses
      .filter((each) => !isOwn(each))
      .map(({ address, tickets }) => ({ email: address, ...(tickets !== null && { tickets }) })),
  };
}

/** Returns the automatic answer of a mailbox, unless who has set it no longer reads the mailbox: then it is not sent. */
function absenceOf(
  absence: Absence | null,
  readers: readonly string[],
): Pick<SeedRecordInput<'mailboxes'>, 'absence'> {
  if (absence === null || !readers.includes(absence.user_id)) return {};
  const { user_id: author, ...rest } = absence;
  return { absence: { ...rest, author } };
}

export async function* exportMessages(ctx: ExportContext): AsyncGenerator<SeedRecordInput<'messages'>[]> {
  const { sql: db, workspaceId } = ctx;
  const pages = pagesOf(
    ({ id }) => id,
    async (after: string | null) => {
      const { rows } = await sql<{ id: string; bytes: number }>`
        select id, octet_length(body) as bytes from mail_messages
        where workspace_id = ${workspaceId} and id > ${after ?? ''} order by id limit ${PAGE}`.execute(db);
      return rows;
    },
  );
  for await (const page of pages) {
    for (const ids of chunksBySize(page)) {
      const messages = await db
        .selectFrom('mail_messages')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', ids)
        .orderBy('id')
        .execute();
      const threads = [...new Set(messages.map(({ thread_id }) => thread_id))];
      const tags = await rowsBy(ctx, 'mail_thread_tags', 'thread_id', threads, ['tag_id']);
      const marks = await rowsBy(ctx, 'mail_threads', 'id', threads);
      yield messages.map((message) => ({
        key: message.id,
        id: message.id,
        mailbox: String(message.mailbox_id),
        thread: String(message.thread_id),
        folder: message.folder,
        ...(message.previous_folder !== null && { previous_folder: message.previous_folder }),
        from: sender(message.from_email, message.from_name),
        to: recipients(message.to_recipients),
        cc: recipients(message.cc_recipients),
        subject: message.subject,
        body: bodyOf(message),
        read: message.is_read,
        tags: tags(message.thread_id).map(({ tag_id }) => String(tag_id)),
        ...marksOf(marks(message.thread_id)[0]),
        message_at: message.message_at,
      }));
    }
  }
}

/** Returns the star and the snooze of a conversation. */
function marksOf(
  thread: { is_starred: boolean; snoozed_until: string | null } | undefined,
): Pick<SeedRecordInput<'messages'>, 'starred' | 'snoozed_until'> {
  return {
    starred: thread?.is_starred ?? false,
    ...(thread?.snoozed_until && { snoozed_until: thread.snoozed_until }),
  };
}

/** Returns the HTML of a message with the names of its files, whose contents an import file does not have. */
function bodyOf({ body, attachments }: { body: string; attachments: unknown }): string {
  const names = (attachments as { name: string }[]).map(({ name }) => `<p>[File: ${escapeHtml(name)}]</p>`);
  return [body, ...names].join('\n');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Divides a page into lists of ids whose bodies together are at most {@link CHUNK_BYTES}, or of one id. */
function* chunksBySize(page: readonly { id: string; bytes: number }[]): Generator<string[]> {
  let ids: string[] = [];
  let sum = 0;
  for (const { id, bytes } of page) {
    if (ids.length > 0 && sum + bytes > CHUNK_BYTES) {
      yield ids;
      ids = [];
      sum = 0;
    }
    ids.push(id);
    sum += bytes;
  }
  yield ids;
}

type Correspondent = SeedRecordInput<'messages'>['from'];

function sender(email: string, name: string | null): Correspondent {
  if (EmailAddress.safeParse(email).success) return { email, ...(name !== null && { name }) };
  return { email: UNKNOWN_SENDER, name: name ?? email };
}

function recipients(stored: unknown): Correspondent[] {
  return (stored as { email: string; name: string | null }[])
    .filter(({ email }) => EmailAddress.safeParse(email).success)
    .map(({ email, name }) => ({ email, ...(name !== null && { name }) }));
}
