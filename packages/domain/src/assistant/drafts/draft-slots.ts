import { ApiError } from '../../platform/process/errors.ts';
import { FairSemaphore } from '../../platform/process/fair-semaphore.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/** How many drafts a process writes concurrently. A draft mostly waits for the model. */
export const MAX_CONCURRENT_DRAFTS = 50;
/** How many of them one account has, and one firm, with those that wait for their turn. */
export const MAX_DRAFTS_OF_ACCOUNT = 3;
export const MAX_DRAFTS_OF_FIRM = 15;

/** Firms whose drafts wait take turns. */
const semaphore = new FairSemaphore(MAX_CONCURRENT_DRAFTS);
/** The drafts of this process, also those that wait, by account and by firm. */
const counts = new Map<string, number>();

/**
 * Waits until the process may write another draft. Returns a function that ends it, which also the signal does. Throws `rate_limited` at
 * once if the account or the firm has its share already.
 */
export async function takeDraftSlot(
  { workspace, identity }: Pick<AccountContext, 'workspace' | 'identity'>,
  signal: AbortSignal,
): Promise<() => void> {
  const account = `account ${identity.user.id}`;
  const firm = `firm ${workspace.id}`;
  if (countOf(account) >= MAX_DRAFTS_OF_ACCOUNT)
    throw new ApiError('rate_limited', {
      message: `The assistant already writes ${MAX_DRAFTS_OF_ACCOUNT} drafts for you. Try again when one has ended.`,
      retryAfterSeconds: 5,
      limit: 'drafts_per_account',
    });
  if (countOf(firm) >= MAX_DRAFTS_OF_FIRM)
    throw new ApiError('rate_limited', {
      message: `The assistant already writes ${MAX_DRAFTS_OF_FIRM} drafts for your team. Try again when one has ended.`,
      retryAfterSeconds: 5,
      limit: 'drafts_per_firm',
    });
  signal.throwIfAborted();
  const ended = Promise.withResolvers<void>();
  for (const key of [account, firm]) counts.set(key, countOf(key) + 1);
  void ended.promise.then(() => {
    for (const key of [account, firm]) {
      const left = countOf(key) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    }
  });
  signal.addEventListener('abort', () => ended.resolve(), { once: true });
  const started = Promise.withResolvers<void>();
  semaphore
    .run(firm, () => {
      started.resolve();
      return ended.promise;
    })
    .catch((error: unknown) => {
      ended.resolve();
      started.reject(error);
    });
  await Promise.race([started.promise, ended.promise]);
  signal.throwIfAborted();
  return () => ended.resolve();
}

function countOf(key: string): number {
  return counts.get(key) ?? 0;
}
