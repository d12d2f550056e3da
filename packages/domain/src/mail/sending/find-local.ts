import { sql } from 'kysely';
import { newContext } from '../../platform/database/transaction.ts';
import type { Services } from '../../platform/services.ts';
import { knownForms } from '../mailboxes/mailbox-directory.ts';

/** Returns which of some recipients have a mailbox in this installation, or in the one firm `within`. Sandboxes and firms exchange no mail. */
export async function findLocal(
  services: Services,
  emails: readonly string[],
  isSandbox: boolean,
  within: number | null = null,
): Promise<Set<string>> {
  const { rows } = await sql<{ address: string; is_sandbox: boolean; is_meant: boolean }>`
    select a.address, w.sandbox_of is not null as is_sandbox, ${within}::integer is null or w.id = ${within} as is_meant
    from mailbox_addresses a join workspaces w on w.id = a.workspace_id
    where a.address = any(${emails.flatMap((email) => knownForms(email))})`.execute(newContext(services).db);
  const found = new Map(rows.map((row) => [row.address, row]));
  // The form by which the mail is delivered decides.
  const local = emails.filter((email) => {
    const form = knownForms(email).find((form) => found.has(form));
    const mailbox = form === undefined ? undefined : found.get(form);
    return mailbox !== undefined && mailbox.is_sandbox === isSandbox && mailbox.is_meant;
  });
  return new Set(local);
}
