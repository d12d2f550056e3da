import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { publishMail } from '../streams/publish-mail.ts';
import { deleteDelayed, makeDraft } from './cancel-sending.ts';
import { tellAuthor } from './tell-author.ts';

/** Makes messages that were due in some firms, while these were suspended, drafts again: when a firm is resumed they can be days old. */
export async function returnDelayedOfResumed(
  ctx: OperationContext,
  workspaceIds: readonly number[],
): Promise<void> {
  for (const workspaceId of workspaceIds) {
    const { rows } = await sql<{ id: string; author_id: string; mailbox_id: number; subject: string }>`
      select m.id, o.author_id, m.mailbox_id, m.subject
      from outgoing_messages o join mail_messages m on m.workspace_id = ${workspaceId} and m.id = o.message_id
      where o.workspace_id = ${workspaceId} and o.author_id is not null and o.started_at is null and o.send_at <= ${ctx.now.toISOString()}
      order by m.id`.execute(ctx.db);
    for (const { id, author_id, subject } of rows) {
      await deleteDelayed(ctx, workspaceId, id);
      await makeDraft(ctx, workspaceId, id);
      await tellAuthor(ctx, workspaceId, author_id, {
        title: `Not sent: ${subject.slice(0, 100) || '(no subject)'}`,
        body: 'The firm was suspended when the message was due. It is a draft again.',
      });
    }
    await publishMail(
      ctx,
      workspaceId,
      rows.map(({ mailbox_id }) => mailbox_id),
    );
  }
}
