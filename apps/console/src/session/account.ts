import { asFirmdeskError, isFirmdeskError } from '@firmdesk/client';
import type { Permission } from '@firmdesk/contract';
import { useSuspenseQuery } from '@tanstack/react-query';
import { trpc } from '../api.ts';

/** Who is signed in, and what they may do in the firm they act in. It is loaded before any page of the desk is shown. */
export const accountQuery = () => trpc.account.get.queryOptions(undefined, { staleTime: 60_000 });

export function useAccount() {
  return useSuspenseQuery(accountQuery()).data;
}

export function usePermission(permission: Permission): boolean {
  return useAccount().permissions.includes(permission);
}

/** Whether an error says that this session is over. */
export function isSignedOut(error: unknown): boolean {
  return isFirmdeskError(
    asFirmdeskError(error),
    'invalid_token',
    'revoked_token',
    'expired_token',
    'signed_out',
  );
}
