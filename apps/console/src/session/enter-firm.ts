import { createRpcClient } from '@firmdesk/client';
import { toast } from 'sonner';
import { queryClient } from '../api.ts';
import { firmPath } from './firm-path.ts';

/**
 * Goes to another firm, on a new page. Has the service open a session there first, where the account has none in this browser.
 *
 * @param by the workspace of the session by which the account is known
 */
export async function enterFirm(slug: string, by: string, page = '/'): Promise<void> {
  await pendingChangesSaved();
  const client = createRpcClient({ url: location.origin, workspace: by });
  try {
    await client.sessions.open.mutate({ workspace: slug });
  } finally {
    void client.close();
  }
  location.assign(firmPath(slug, page));
}

/** Resolves once no change is on its way: leaving the page would end its retries. */
function pendingChangesSaved(): Promise<void> {
  if (queryClient.isMutating() === 0) return Promise.resolve();
  const shown = toast.loading('Saving your last change…');
  return new Promise((resolve) => {
    const stop = queryClient.getMutationCache().subscribe(() => {
      if (queryClient.isMutating() > 0) return;
      stop();
      toast.dismiss(shown);
      resolve();
    });
  });
}
