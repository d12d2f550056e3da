import { asFirmdeskError, isFirmdeskError } from '@firmdesk/client';
import type { Permission } from '@firmdesk/contract';
import { createContext, use } from 'react';
import { type client, queryClient, trpc } from '../api.ts';
import { firm } from './firm.ts';

/** The signed-in account and its permissions in the firm. Loaded before any page of the firm is shown. */
export const accountQuery = () => trpc.account.get.queryOptions(undefined, { staleTime: 60_000 });

type Account = Awaited<ReturnType<typeof client.account.get.query>>;

/** The account of the pages below. Reading it takes a fraction of the time of observing its query, in each row of a list. */
export const AccountContext = createContext<Account | null>(null);

export function useAccount(): Account {
  const account = use(AccountContext);
  if (account === null) throw new Error('useAccount needs an AccountProvider around the component.');
  return account;
}

/** The sessionStorage key of the account that this window has shown: a reload without a network continues with it. */
export const KEPT_ACCOUNT = 'firmdesk.account';

/**
 * Loads the account, or takes the one that this window has shown before if the service cannot be reached. Throws
 * {@link UnreachableError} if it has shown none.
 */
export async function loadAccount(): Promise<Account> {
  const query = accountQuery();
  const known = queryClient.getQueryData(query.queryKey);
  if (known) return known;
  try {
    if (!navigator.onLine) throw new UnreachableError();
    const account = await queryClient.fetchQuery(query);
    keepAccount(account);
    return account;
  } catch (error) {
    const isUnreachable = error instanceof UnreachableError || asFirmdeskError(error).status === null;
    const kept = isUnreachable ? keptAccount() : null;
    if (!kept) throw isUnreachable ? new UnreachableError() : error;
    // From long ago: it is loaded again as soon as possible.
    queryClient.setQueryData(query.queryKey, kept, { updatedAt: 1 });
    return kept;
  }
}

/** Thrown when the service cannot be reached and the window has shown no account before. */
export class UnreachableError extends Error {}

function keepAccount(account: Account): void {
  try {
    sessionStorage.setItem(KEPT_ACCOUNT, JSON.stringify(account));
  } catch {
    // Without storage, a reload needs a network.
  }
}

function keptAccount(): Account | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT_ACCOUNT) ?? 'null') as Account | null;
    return kept?.workspace.slug === firm ? kept : null;
  } catch {
    return null;
  }
}

/** Deletes the account that this window has shown, and what was opened in this browser, when it is signed out. */
export function forgetAccount(): void {
  try {
    sessionStorage.removeItem(KEPT_ACCOUNT);
    for (const key of Object.keys(localStorage))
      if (key.startsWith('firmdesk.recent.')) localStorage.removeItem(key);
  } catch {
    // Without storage there is nothing to delete.
  }
}

/** Returns the time zone of the account, in which all times are shown. */
export function useTimeZone(): string {
  return useAccount().user.timezone;
}

export function usePermission(permission: Permission): boolean {
  return useAccount().permissions.includes(permission);
}

/** Returns whether an error means that the session has ended. */
export function isSignedOut(error: unknown): boolean {
  return isFirmdeskError(
    asFirmdeskError(error),
    'invalid_token',
    'revoked_token',
    'expired_token',
    'signed_out',
  );
}
