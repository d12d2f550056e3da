import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  MAX_REPLY_DRAFTS,
  type ReplyDraftList,
  type ReplyDraftSave,
  type ReplyDraftStreamEvent,
  type ReplyDraftsOfTicket,
  type SaveReplyDraftInput,
  type StoredReplyDraft,
  type StreamReplyDraftsInput,
} from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { OperationContext } from '../../platform/database/context.ts';
import { retentionOfFirmTable } from '../../platform/database/retention.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { streamTopic } from '../../procedures/stream-topic.ts';
import type { TrackedStream } from '../../procedures/tracked-stream.ts';
import type { Conversation } from '../ticket-state.ts';

/*
 * Replies and notes that their author has not sent. The console saves them while the author types. Each save states the version that it
 * changes, so that a draft which was changed on another device is not overwritten.
 */

type DraftRow = Omit<StoredReplyDraft, 'object'>;

const COLUMNS = sql.raw('ticket_id, mode, text, html, image_url, image_name, macros, version, updated_at');
/** What JavaScript's `trim` removes. */
const WHITE_SPACE =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/** Returns the caller's drafts of a ticket. Throws `resource_not_found`. */
export async function getReplyDrafts(
  ctx: AccountContext,
  { ticket }: { ticket: string },
): Promise<ReplyDraftsOfTicket> {
  const { drafts } = await readDrafts(ctx, ticket, sql`true`);
  const of = (mode: DraftRow['mode']) => drafts.find((draft) => draft.mode === mode) ?? null;
  return { object: 'reply_drafts', reply: of('reply'), note: of('note') };
}

/** Returns which drafts the caller has in the firm, newest first. */
export async function listReplyDrafts({ db, workspace, identity }: AccountContext): Promise<ReplyDraftList> {
  const { rows } = await sql<ReplyDraftList['data'][number]>`
    select ticket_id, mode, version, updated_at from reply_drafts
    where workspace_id = ${workspace.id} and user_id = ${identity.user.id}
    order by updated_at desc, id desc limit ${MAX_REPLY_DRAFTS}`.execute(db);
  return { data: rows };
}

/**
 * Saves a draft of the caller, or deletes it if it is empty. Does neither, and returns the newer draft, if that was saved since
 * `base`. A draft that was deleted since is saved again. Throws `resource_not_found`, and `ticket_ended` if the ticket was merged into
 * another, which then has its drafts.
 */
export async function saveReplyDraft(
  ctx: AccountContext,
  input: z.output<typeof SaveReplyDraftInput>,
): Promise<ReplyDraftSave> {
  const { workspace, identity, now } = ctx;
  const { ticket, mode, text, html, image_url, image_name, macros, base } = input;
  const db = ctx.db;
  // The lock of the ticket makes saves wait for each other, and for a merge: a draft that does not exist cannot be locked.
  const { isMerged, drafts } = await readDrafts(ctx, ticket, sql`mode = ${mode}`, sql`for no key update`);
  if (isMerged) throw new ApiError('ticket_ended');
  const [stored] = drafts;
  const isSame =
    stored?.text === text &&
    stored.html === html &&
    stored.image_url === image_url &&
    stored.image_name === image_name &&
    isDeepStrictEqual(stored.macros, macros);
  if (stored && (isSame || stored.version !== base)) {
    return { object: 'reply_draft_save', saved: isSame, draft: stored };
  }
  if (text === '' && image_url === '') {
    await deleteDraft(ctx, ticket, mode, sql`true`);
    await publishDrafts(ctx, workspace.id, [{ userId: identity.user.id, ticket, mode, version: null }]);
    return { object: 'reply_draft_save', saved: true, draft: null };
  }
  const draft: StoredReplyDraft = {
    object: 'reply_draft',
    ticket_id: ticket,
    mode,
    text,
    html,
    image_url,
    image_name,
    macros,
    version: randomUUID(),
    updated_at: now.toISOString(),
  };
  await sql`
    insert into reply_drafts (workspace_id, user_id, ticket_id, mode, text, html, image_url, image_name, macros, version, updated_at)
    values (${workspace.id}, ${identity.user.id}, ${ticket}, ${mode}, ${text}, ${html}, ${image_url}, ${image_name},
      ${macros && JSON.stringify(macros)}::jsonb, ${draft.version}, ${draft.updated_at})
    on conflict (workspace_id, user_id, ticket_id, mode) do update set text = excluded.text, html = excluded.html, image_url = excluded.image_url,
      image_name = excluded.image_name, macros = excluded.macros, version = excluded.version, updated_at = excluded.updated_at`.execute(
    db,
  );
  if (!stored) await deleteOldest(ctx);
  await publishDrafts(ctx, workspace.id, [
    { userId: identity.user.id, ticket, mode, version: draft.version },
  ]);
  return { object: 'reply_draft_save', saved: true, draft };
}

/** Streams that drafts of the caller are saved and deleted, on any of their devices. */
export function streamReplyDrafts(
  ctx: AccountContext,
  input: z.output<typeof StreamReplyDraftsInput>,
  signal: AbortSignal,
): Promise<TrackedStream<ReplyDraftStreamEvent>> {
  return streamTopic(ctx, { subject: draftsOf(ctx.identity.user.id) }, input, signal);
}

/** The subject of the events about the drafts of an account. */
const draftsOf = (userId: string) => `reply_drafts ${userId}`;

interface ChangedDraft extends Pick<DraftRow, 'mode'> {
  userId: string;
  ticket: string;
  /** Null if it was deleted. */
  version: string | null;
}

async function publishDrafts(
  ctx: OperationContext,
  workspaceId: number,
  changed: readonly ChangedDraft[],
): Promise<void> {
  const events = changed.map(({ userId, ticket, mode, version }) => ({
    subject: draftsOf(userId),
    type: 'reply_draft.saved',
    body: { ticket_id: ticket, mode, version },
  }));
  await appendEvents(ctx, workspaceId, events);
}

/** The texts of two drafts in one. Citus accepts no `concat_ws` in an update: it is not immutable. */
function joinedTexts(first: string, second: string): RawBuilder<string> {
  const [one, other] = [sql.ref(`${first}.text`), sql.ref(`${second}.text`)];
  return sql`${one} || case when ${one} <> '' and ${other} <> '' then E'\n\n' else '' end || ${other}`;
}

/** The formatted texts of two drafts in one, as {@link joinedTexts}: null if neither has formatting. */
function joinedHtml(first: string, second: string): RawBuilder<string | null> {
  const htmlOf = (draft: string) => {
    const text = sql.ref(`${draft}.text`);
    const escaped = sql`replace(replace(replace(${text}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;')`;
    return sql`coalesce(${sql.ref(`${draft}.html`)},
      case when ${text} = '' then '' else '<p>' || replace(${escaped}, E'\n', '</p><p>') || '</p>' end)`;
  };
  const [one, other] = [sql.ref(`${first}.text`), sql.ref(`${second}.text`)];
  return sql`case when ${sql.ref(`${first}.html`)} is not null or ${sql.ref(`${second}.html`)} is not null then
    ${htmlOf(first)} || case when ${one} <> '' and ${other} <> '' then '<p></p>' else '' end || ${htmlOf(second)} end`;
}

/** Adds a reply that was not sent to an account's draft on a locked ticket, before or after what the draft has. */
export async function addToReplyDraft(
  ctx: OperationContext,
  { id: ticket, workspace_id }: Conversation,
  userId: string,
  {
    text,
    html,
    image_url,
    image_name,
    macros,
  }: Pick<DraftRow, 'text' | 'html' | 'image_url' | 'image_name' | 'macros'>,
  place: 'before' | 'after',
): Promise<void> {
  const [first, second] = place === 'before' ? ['excluded', 'd'] : ['d', 'excluded'];
  const firstOf = (column: string) =>
    sql`coalesce(nullif(${sql.ref(`${first}.${column}`)}, ''), ${sql.ref(`${second}.${column}`)})`;
  // Files alone are not stored as a draft: they are in the browser of their author.
  const version = text === '' && image_url === '' ? null : randomUUID();
  if (version !== null)
    await sql`
    insert into reply_drafts as d (workspace_id, user_id, ticket_id, mode, text, html, image_url, image_name, macros, version, updated_at)
    values (${workspace_id}, ${userId}, ${ticket}, 'reply', ${text}, ${html}, ${image_url}, ${image_name},
      ${macros && JSON.stringify(macros)}::jsonb, ${version}, ${ctx.now.toISOString()})
    on conflict (workspace_id, user_id, ticket_id, mode) do update set
      text = ${joinedTexts(first!, second!)}, html = ${joinedHtml(first!, second!)}, image_url = ${firstOf('image_url')}, image_name = ${firstOf('image_name')},
      macros = coalesce(${sql.ref(`${first}.macros`)}, ${sql.ref(`${second}.macros`)}), version = excluded.version, updated_at = excluded.updated_at`.execute(
      ctx.db,
    );
  await publishDrafts(ctx, workspace_id, [{ userId, ticket, mode: 'reply', version }]);
}

/**
 * Moves the drafts of a locked ticket to another locked one, with their versions. Where an account has a draft on both, the text of the
 * other follows, as in the console (`moveDrafts`).
 */
export async function moveReplyDrafts(ctx: AccountContext, from: string, into: string): Promise<void> {
  const { db, workspace, now } = ctx;
  const { rows: moved } = await sql<Pick<DraftRow, 'mode'> & { user_id: string }>`
    select user_id, mode from reply_drafts
    where workspace_id = ${workspace.id} and ticket_id = ${from}`.execute(db);
  if (moved.length === 0) return;
  await sql`
    update reply_drafts d set text = ${joinedTexts('s', 'd')}, html = ${joinedHtml('s', 'd')},
      image_url = coalesce(nullif(s.image_url, ''), d.image_url), image_name = coalesce(nullif(s.image_name, ''), d.image_name),
      macros = coalesce(s.macros, d.macros), version = ${randomUUID()}, updated_at = ${now.toISOString()}
    from reply_drafts s
    where d.workspace_id = ${workspace.id} and d.ticket_id = ${into} and s.workspace_id = ${workspace.id} and s.ticket_id = ${from}
      and s.user_id = d.user_id and s.mode = d.mode`.execute(db);
  await sql`
    delete from reply_drafts s where s.workspace_id = ${workspace.id} and s.ticket_id = ${from} and exists (
      select from reply_drafts d where d.workspace_id = ${workspace.id} and d.ticket_id = ${into}
        and d.user_id = s.user_id and d.mode = s.mode)`.execute(db);
  await sql`
    update reply_drafts set ticket_id = ${into}
    where workspace_id = ${workspace.id} and ticket_id = ${from}`.execute(db);
  const { rows: drafts } = await sql<Pick<DraftRow, 'mode' | 'version'> & { user_id: string }>`
    select user_id, mode, version from reply_drafts
    where workspace_id = ${workspace.id} and ticket_id = ${into}`.execute(db);
  const changed = moved.flatMap(({ user_id: userId, mode }): ChangedDraft[] => {
    const draft = drafts.find((each) => each.user_id === userId && each.mode === mode);
    const gone = { userId, ticket: from, mode, version: null };
    return draft ? [gone, { userId, ticket: into, mode, version: draft.version }] : [gone];
  });
  await publishDrafts(ctx, workspace.id, changed);
}

/** Deletes the draft of a message that its author sends on a locked ticket, unless the draft has another text by now. */
export async function deleteSentDraft(
  ctx: Pick<AccountContext, 'db' | 'workspace' | 'identity'>,
  { id, has_drafts }: Pick<Conversation, 'id' | 'has_drafts'>,
  mode: DraftRow['mode'],
  body: string,
): Promise<void> {
  if (has_drafts) await deleteDraft(ctx, id, mode, sql`btrim(text, ${WHITE_SPACE}) = ${body}`);
}

async function deleteDraft(
  { db, workspace, identity }: Pick<AccountContext, 'db' | 'workspace' | 'identity'>,
  ticket: string,
  mode: DraftRow['mode'],
  condition: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    delete from reply_drafts where workspace_id = ${workspace.id} and user_id = ${identity.user.id} and ticket_id = ${ticket}
      and mode = ${mode} and ${condition}`.execute(db);
}

/** Deletes the caller's oldest drafts beyond {@link MAX_REPLY_DRAFTS}. */
async function deleteOldest({ db, workspace, identity }: AccountContext): Promise<void> {
  await sql`
    delete from reply_drafts where workspace_id = ${workspace.id} and id in (
      select id from reply_drafts where workspace_id = ${workspace.id} and user_id = ${identity.user.id}
      order by updated_at desc, id desc offset ${MAX_REPLY_DRAFTS})`.execute(db);
}

async function readDrafts(
  { db, workspace, identity }: AccountContext,
  ticket: string,
  condition: RawBuilder<unknown>,
  lock: RawBuilder<unknown> = sql``,
): Promise<{ isMerged: boolean; drafts: StoredReplyDraft[] }> {
  const tickets = await sql<{ merged_into: string | null }>`
      select merged_into from tickets
      where workspace_id = ${workspace.id} and id = ${ticket} ${lock}`.execute(db);
  const [found] = tickets.rows;
  if (!found) throw new ApiError('resource_not_found');
  const { rows } = await sql<DraftRow>`
      select ${COLUMNS} from reply_drafts
      where workspace_id = ${workspace.id}
      and user_id = ${identity.user.id} and ticket_id = ${ticket} and ${condition}`.execute(db);
  return {
    isMerged: found.merged_into !== null,
    drafts: rows.map((row) => ({ object: 'reply_draft', ...row })),
  };
}

export const draftRetention = retentionOfFirmTable({
  kind: 'reply_drafts',
  keptMs: 30 * DAY_MS,
  since: 'since it was saved',
  table: 'reply_drafts',
  at: 'updated_at',
});
