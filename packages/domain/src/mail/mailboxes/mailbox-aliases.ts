import { withTransaction } from '../../platform/database/transaction.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import { addToDirectory, findByAddress } from './mailbox-directory.ts';

/**
 * Gives a mailbox another address, at which it gets mail too. Throws `resource_not_found` (mailbox), and fails if a mailbox of any firm has the address.
 */
export function addMailboxAlias(
  services: Services,
  { mailbox, address }: { mailbox: string; address: string },
): Promise<void> {
  return withTransaction(services, async ({ db }) => {
    const found = await findByAddress(db, mailbox);
    if (!found) throw new ApiError('resource_not_found', { message: `There is no mailbox ${mailbox}.` });
    await addToDirectory(db, [{ id: found.mailboxId, workspace_id: found.workspaceId, email: address }]);
  });
}
