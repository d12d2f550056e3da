import { asFirmdeskError, isFirmdeskError } from '@firmdesk/client';
import type { Permission } from '@firmdesk/contract';
import { useSuspenseQuery } from '@tanstack/react-query';
import { trpc } from '../api.ts';

/** The signed-in account and its permissions in the firm. Loaded before any page of the firm is shown. */
export const accountQuery = () => trpc.account.get.queryOptions(undefined, { staleTime: 60_000 });

export function useAccount() {
  return useSuspenseQuery(accountQuery()).data;
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
