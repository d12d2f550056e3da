import { createRpcClient } from '@firmdesk/client';
import { queryClient } from '../api.ts';
import { outboxSettled } from '../outbox/outbox.ts';
import { toast } from '../shell/toast.ts';
import { firmPath } from './firm-path.ts';

const SAVING_TOAST = 'saving-before-leaving';

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

/** Resolves when no change is being saved. Changes that wait for the line stay stored for the next visit of this firm. */
async function pendingChangesSaved(): Promise<void> {
  const saving = outboxSettled();
  const isPending = queryClient.isMutating() > 0 || (await isUnderWay(saving));
  if (!isPending) return;
  toast.loading('Saving your last change…', { id: SAVING_TOAST });
  await saving;
  await mutationsDone();
  toast.dismiss(SAVING_TOAST);
}

/** Returns whether a promise is still pending after the current tasks. */
function isUnderWay(promise: Promise<void>): Promise<boolean> {
  return Promise.race([
    promise.then(() => false),
    new Promise<boolean>((resolve) => setTimeout(resolve, 0, true)),
  ]);
}

function mutationsDone(): Promise<void> {
  if (queryClient.isMutating() === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = queryClient.getMutationCache().subscribe(() => {
      if (queryClient.isMutating() > 0) return;
      stop();
      resolve();
    });
  });
}
