import type { Services } from '../../platform/services.ts';
import { knownForms } from '../mailboxes/mailbox-directory.ts';

const ADDRESSES = {
  name: 'local-addresses',
  text: `
    select a.address, w.sandbox_of is not null as is_sandbox, $2::integer is null or w.id = $2 as is_meant
    from mailbox_addresses a join workspaces w on w.id = a.workspace_id
    where a.address = any($1)`,
};

/** Returns which of some recipients have a mailbox in this installation, or in the one firm `within`. Sandboxes and firms exchange no mail. */
export async function findLocal(
  services: Services,
  emails: readonly string[],
  isSandbox: boolean,
  within: number | null = null,
): Promise<Set<string>> {
  const { rows } = await services.pool.query<{ address: string; is_sandbox: boolean; is_meant: boolean }>({
    ...ADDRESSES,
    values: [emails.flatMap((email) => knownForms(email)), within],
  });
  const found = new Map(rows.map((row) => [row.address, row]));
  // The form by which the mail is delivered decides.
  const local = emails.filter((email) => {
    const form = knownForms(email).find((form) => found.has(form));
    const mailbox = form === undefined ? undefined : found.get(form);
    return mailbox !== undefined && mailbox.is_sandbox === isSandbox && mailbox.is_meant;
  });
  return new Set(local);
}
