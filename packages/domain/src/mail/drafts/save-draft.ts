import type { MailAttachment, MailMessage, MailRecipient, SaveDraftInput } from '@firmdesk/contract';
import { type SqlBool, sql } from 'kysely';
import type { z } from 'zod';
import { ApiError } from '../../platform/process/errors.ts';
import { newId } from '../../platform/process/ids.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { setMessageFiles } from '../files/set-message-files.ts';
import { inWritableMailbox, writableMailbox } from '../mailboxes/mailbox-access.ts';
import { toMailMessage } from '../messages/mail-message-row.ts';
import { snippetOf } from '../parsing/snippet.ts';
import { mailSearchText } from '../search/mail-search-text.ts';
import { publishMail } from '../streams/publish-mail.ts';
import { type AnsweredMessage, findAnswered, threadOfAnswer } from './answered-message.ts';

type Input = z.infer<typeof SaveDraftInput>;

/** A draft as it is stored. */
export interface SavedDraft {
  id: string;
  thread_id: number;
  mailbox_id: number;
  from_email: string;
  message_at: string;
  /** Its files before this save. */
  attachments: MailAttachment[];
}

/** A row of {@link stored}. */
interface StoredDraft extends Omit<SavedDraft, 'message_at'> {
  /** With six decimals. */
  seconds: string;
}

/** The time of a message in seconds since 1970. Citus refuses the functions that format times where a statement writes. */
const seconds = sql<string>`extract(epoch from m.message_at at time zone 'UTC')::text`;
const stored = sql`m.id, m.thread_id, m.mailbox_id, m.from_email, m.attachments, ${seconds} as seconds`;

function toSavedDraft({ seconds, ...row }: StoredDraft): SavedDraft {
  return { ...row, message_at: timeOf(seconds) };
}

/** Returns the `message_at` that clients get, which is also the response's `ETag`. */
function timeOf(seconds: string): string {
  const [whole, decimals] = seconds.split('.') as [string, string];
  return `${new Date(Number(whole) * 1000).toISOString().slice(0, 19)}.${decimals}Z`;
}

/** Returns the seconds of a `message_at`, or undefined for other text. */
function secondsOf(time: string): string | undefined {
  const [, whole, decimals] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\.(\d{6})Z$/.exec(time) ?? [];
  const milliseconds = Date.parse(`${whole}Z`);
  if (Number.isNaN(milliseconds)) return undefined;
  const seconds = `${milliseconds / 1000}.${decimals}`;
  // The 30th of February is another day to `Date`.
  return timeOf(seconds) === time ? seconds : undefined;
}

/**
 * Saves a draft (contract §4.2): creates it, or replaces an existing one, which keeps its id and its conversation. Replacing takes one
 * statement if it has no files, because clients save while the author types. The response's `ETag` is the draft's `message_at`, which every save
 * changes. With `If-Match`, a save is rejected if another one came first.
 *
 * Throws `resource_not_found` (the caller may not write from the mailbox, or to the draft, or a file is not the caller's), `not_a_draft`,
 * `precondition_failed`, `validation_failed` (a file is not uploaded).
 */
export async function saveDraft(ctx: AccountContext, input: Input): Promise<MailMessage> {
  const { saved } = await storeDraft(ctx, input);
  // Clients save while the author types: only a new draft is published.
  if (input.draft_id === undefined) await publishMail(ctx, ctx.workspace.id, [saved.mailbox_id]);
  return toMailMessage({
    ...saved,
    folder: 'drafts',
    subject: input.subject,
    to_recipients: recipients(input.to),
    cc_recipients: recipients(input.cc),
  });
}

/** Stores the draft of {@link saveDraft}, and returns it with the message that it answers. */
export async function storeDraft(
  ctx: AccountContext,
  input: Input,
): Promise<{ saved: SavedDraft; answered: AnsweredMessage | null }> {
  const answered = input.in_reply_to === null ? null : await findAnswered(ctx, input.in_reply_to);
  const saved =
    input.draft_id === undefined ? await create(ctx, input, answered) : await overwrite(ctx, input, answered);
  const files = saved.attachments.map(({ id }) => id);
  if (files.join() !== input.attachments.join()) await setMessageFiles(ctx, saved.id, input.attachments);
  return { saved, answered };
}

interface WritableMailbox {
  id: number;
  email: string;
  name: string;
}

/** Creates a draft in a new conversation. One statement would be `insert … select`, which Citus commits in two phases. */
async function create(
  ctx: AccountContext,
  input: Input,
  answered: AnsweredMessage | null,
): Promise<SavedDraft> {
  const { db, now, call, workspace } = ctx;
  const found = await sql<WritableMailbox>`${writableMailbox(ctx, input.address_id)}`.execute(db);
  const box = found.rows[0];
  if (!box) throw new ApiError('resource_not_found');
  // A resource that does not exist matches no version, not even `*` (RFC 9110 §13.1.1).
  if (call.ifMatch !== null) throw new ApiError('precondition_failed');
  const created = now.toISOString();
  const thread =
    (answered && (await threadOfAnswer(ctx, box, answered, input.subject))) ?? (await newThread(ctx, box.id));
  const { rows } = await sql<StoredDraft>`
      insert into mail_messages as m (workspace_id, id, mailbox_id, thread_id, folder, from_email, from_name, to_recipients,
        cc_recipients, bcc_recipients, subject, body, snippet, search_text, is_read, answers_id, message_at, created_at)
      values (${workspace.id}, ${newId('mailMessage', now)}, ${box.id}, ${thread}, 'drafts', ${box.email},
        ${box.name}, ${json(input.to)}, ${json(input.cc)}, ${json(input.bcc)}, ${input.subject}, ${input.body},
        ${snippetOf(input.body)}, ${searchTextOf(input, box)}, true, ${answered?.id ?? null}, ${created}, ${created})
      returning ${stored}`.execute(db);
  return toSavedDraft(rows[0]!);
}

/** Starts a conversation in a mailbox. Returns its id. */
async function newThread({ db, workspace, now }: AccountContext, mailboxId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into mail_threads (workspace_id, mailbox_id, created_at) values (${workspace.id}, ${mailboxId}, ${now.toISOString()})
    returning id`.execute(db);
  return rows[0]!.id;
}

async function overwrite(
  ctx: AccountContext,
  input: Input,
  answered: AnsweredMessage | null,
): Promise<SavedDraft> {
  const thread = answered?.mailbox_id === input.address_id ? answered.thread_id : null;
  // The line of the sender stays. If the mailbox changes, the job that indexes mail makes the text.
  const otherLines = searchTextOf(input, { email: '', name: null });
  const searchText = sql`case when m.mailbox_id = box.id then split_part(m.search_text, chr(10), 1) || ${otherLines} end`;
  // Citus accepts only immutable functions of a column here, which those of `timestamp` are, and those of `timestamptz` are not.
  const { rows } = await sql<StoredDraft>`
    update mail_messages m set mailbox_id = box.id, from_email = box.email, from_name = box.name,
      to_recipients = ${json(input.to)}, cc_recipients = ${json(input.cc)}, bcc_recipients = ${json(input.bcc)},
      subject = ${input.subject}, body = ${input.body}, snippet = ${snippetOf(input.body)},
      answers_id = ${answered?.id ?? null}, thread_id = coalesce(${thread}::bigint, m.thread_id),
      search_text = ${searchText},
      search_pending = true,
      message_at = greatest(${ctx.now.toISOString()},
        (m.message_at at time zone 'UTC' + interval '1 microsecond') at time zone 'UTC')
    from ${writableMailbox(ctx, input.address_id)} box
    where m.workspace_id = ${ctx.workspace.id} and ${hasDraftId(input.draft_id!)} and m.folder = 'drafts'
      and ${inWritableMailbox(ctx)}
      and ${matchesVersion(ctx.call.ifMatch)}
    returning ${stored}`.execute(ctx.db);
  return rows[0] ? toSavedDraft(rows[0]) : explainFailure(ctx, input, answered);
}

/** Throws the reason why nothing was saved, in the contract's order. Saves again if there is no longer a reason. */
async function explainFailure(
  ctx: AccountContext,
  input: Input,
  answered: AnsweredMessage | null,
): Promise<SavedDraft> {
  const mailbox = await sql`${writableMailbox(ctx, input.address_id)}`.execute(ctx.db);
  if (mailbox.rows.length === 0) throw new ApiError('resource_not_found');
  const { rows } = await sql<{ folder: string }>`
    select m.folder from mail_messages m
    where m.workspace_id = ${ctx.workspace.id} and ${hasDraftId(input.draft_id!)} and ${inWritableMailbox(ctx)}`.execute(
    ctx.db,
  );
  if (!rows[0]) throw new ApiError('resource_not_found');
  if (rows[0].folder !== 'drafts') throw new ApiError('not_a_draft');
  if (ctx.call.ifMatch !== null) throw new ApiError('precondition_failed');
  // A concurrent call restored the draft from the trash.
  return overwrite(ctx, input, answered);
}

/** The condition for `draft_id`: the id, or the draft's integer as a number or as digits (G-14). Other text matches nothing. */
function hasDraftId(draftId: string | number) {
  if (typeof draftId === 'string' && !/^\d{1,15}$/.test(draftId)) return sql<SqlBool>`m.id = ${draftId}`;
  return sql<SqlBool>`m.alias = ${Number(draftId)}`;
}

/** The condition for `If-Match`: the strong comparison of RFC 9110 §13.1.1. A malformed header matches nothing. */
function matchesVersion(ifMatch: string | null) {
  if (ifMatch === null || ifMatch.trim() === '*') return sql<SqlBool>`true`;
  const versions = [...ifMatch.matchAll(/(W\/)?"([^"]*)"/g)].flatMap(([, weak, tag]) =>
    weak ? [] : (secondsOf(tag!) ?? []),
  );
  return sql<SqlBool>`${seconds} = any(${versions})`;
}

function recipients(emails: string[]): MailRecipient[] {
  return emails.map((email) => ({ email, name: null }));
}

/** Returns what a search of mail reads. */
function searchTextOf({ to, cc, bcc, subject, body }: Input, from: MailRecipient): string {
  return mailSearchText({ from, recipients: recipients([...to, ...cc, ...bcc]), subject, body, files: [] });
}

function json(emails: string[]): string {
  return JSON.stringify(recipients(emails));
}
