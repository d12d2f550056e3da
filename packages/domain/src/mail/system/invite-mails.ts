import { sql } from 'kysely';
import { INVITES, inviteStateAt, inviteUrl } from '../../access/invites/invite-link.ts';
import { newContext } from '../../platform/database/transaction.ts';
import type { Services } from '../../platform/services.ts';
import { renderTemplate } from '../../templates/index.ts';
import { systemAddress } from './system-address.ts';
import type { InviteContent } from './system-mail.ts';
import type { WrittenMail } from './written-mail.ts';

interface Row {
  email: string;
  expires_at: string;
  state: string;
  slug: string;
  firm_name: string;
  invited_by: string;
  language: string;
}

/** Writes the mail with the link of an invite, unless nobody can accept it any more. */
export async function writeInvite(
  services: Services,
  workspaceId: number,
  { content: { invite_id } }: { content: InviteContent },
): Promise<WrittenMail> {
  const ctx = newContext(services);
  const { rows } = await sql<Row>`
    select i.email, i.expires_at, ${inviteStateAt(ctx.now)} as state, f.slug, f.name as firm_name, u.name as invited_by, f.language
    from ${sql.raw(INVITES)} where i.workspace_id = ${workspaceId} and i.id = ${invite_id}`.execute(ctx.db);
  const [invite] = rows;
  if (invite?.state !== 'pending') return { reason: 'The invite has ended.' };
  const { email, slug, firm_name, invited_by, language } = invite;
  const link = await inviteUrl(services, { workspace: { id: workspaceId, slug }, id: invite_id }, 'mail');
  const mail = await renderTemplate(ctx, 'member_invite', { id: workspaceId }, language, {
    firm_name,
    invited_by,
    link,
    expires_at: `${new Date(invite.expires_at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  });
  return {
    message: {
      ...mail,
      from: { name: firm_name, address: systemAddress(services) },
      to: { name: '', address: email },
      headers: { 'Auto-Submitted': 'auto-generated' },
    },
    returnPath: '',
  };
}
