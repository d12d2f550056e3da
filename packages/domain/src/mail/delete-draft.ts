import { sql } from 'kysely';
import { ApiError } from '../platform/process/errors.ts';
import { inWritableMailbox, type ReaderContext } from './mailbox-access.ts';
import { publishMail } from './publish-mail.ts';

/** Deletes a draft permanently. Throws `resource_not_found`, `not_a_draft`. */
export async function deleteDraft(ctx: ReaderContext, { id }: { id: string }): Promise<void> {
  const db = ctx.db;
  const { rows: deleted } = await sql<{ mailbox_id: number }>`
    delete from mail_messages m
    where m.workspace_id = ${ctx.workspace.id} and m.id = ${id} and m.folder = 'drafts' and ${inWritableMailbox(ctx)}
    returning m.mailbox_id`.execute(db);
  if (deleted[0]) return publishMail(ctx, ctx.workspace.id, [deleted[0].mailbox_id]);
  const { rows } = await sql`
    select from mail_messages m
    where m.workspace_id = ${ctx.workspace.id} and m.id = ${id} and ${inWritableMailbox(ctx)}`.execute(db);
  throw new ApiError(rows.length > 0 ? 'not_a_draft' : 'resource_not_found');
}
