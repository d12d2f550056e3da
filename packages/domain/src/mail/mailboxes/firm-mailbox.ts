import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';

/** The mailbox from which the product writes for a firm. */
export interface FirmMailbox {
  id: number;
  /** The address and the name of the sender. */
  email: string;
  name: string;
}

/**
 * Returns the mailbox from which the product writes for a firm: `no-reply.FIRM@` the first mail domain, which nobody reads and which gets no mail. The first
 * mail creates it.
 */
export async function firmMailbox(ctx: OperationContext, workspaceId: number): Promise<FirmMailbox> {
  const { db, now } = ctx;
  const firms = await sql<{ slug: string; name: string }>`
    select slug, name from workspaces where id = ${workspaceId}`.execute(db);
  const { slug, name } = firms.rows[0]!;
  const email = `no-reply.${slug}@${mailDomain(ctx)}`;
  const find = () =>
    sql<FirmMailbox>`
      select id, email, ${name}::text as name from mailboxes
      where workspace_id = ${workspaceId} and lower(email) = lower(${email})`.execute(db);
  const found = await find();
  if (found.rows[0]) return found.rows[0];
  await sql`
    insert into mailboxes (workspace_id, email, name, created_at) values (${workspaceId}, ${email}, ${name}, ${now.toISOString()})
    on conflict (workspace_id, lower(email)) do nothing`.execute(db);
  return (await find()).rows[0]!;
}

function mailDomain({ services }: Pick<OperationContext, 'services'>): string {
  const [domain] = services.mail.domains;
  if (domain !== undefined) return domain;
  const url = services.publicUrl();
  return url === '' ? 'localhost' : new URL(url).hostname;
}
