import { sql } from 'kysely';
import { newContext } from '../../platform/database/transaction.ts';
import type { Services } from '../../platform/services.ts';
import { knownForms } from '../mailboxes/mailbox-directory.ts';

/** Returns which of some recipients have a mailbox in this installation. Sandboxes and firms exchange no mail. */
export async function findLocal(
  services: Services,
  emails: readonly string[],
  isSandbox: boolean,
): Promise<Set<string>> {
  const { rows } = await sql<{ address: string; is_sandbox: boolean }>`
    select a.address, w.sandbox_of is not null as is_sandbox
    from mailbox_addresses a join workspaces w on w.id = a.workspace_id
    where a.address = any(${emails.flatMap((email) => knownForms(email))})`.execute(newContext(services).db);
  const inSandbox = new Map(rows.map(({ address, is_sandbox }) => [address, is_sandbox]));
  // The form by which the mail is delivered decides.
  const local = emails.filter((email) => {
    const form = knownForms(email).find((form) => inSandbox.has(form));
    return form !== undefined && inSandbox.get(form) === isSandbox;
  });
  return new Set(local);
}
