import { createRpcClient } from '@firmdesk/client';
import { toast } from 'sonner';
import { queryClient } from '../api.ts';
import { firmPath } from './firm-path.ts';

/**
 * Loads the console of another firm. First opens a session there if this browser has none.
 *
 * @param signedInTo a workspace that this browser already has a session of the account in
 */
export async function enterFirm(slug: string, signedInTo: string, page = '/'): Promise<void> {
  await pendingChangesSaved();
  const client = createRpcClient({ url: location.origin, workspace: signedInTo });
  try {
    await client.sessions.open.mutate({ workspace: slug });
  } finally {
    void client.close();
  }
  location.assign(firmPath(slug, page));
}

/** Resolves when no mutation is pending. Leaving the page would cancel the retries of a pending one. */
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
