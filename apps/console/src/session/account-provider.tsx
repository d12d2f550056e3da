import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { AccountContext, accountQuery } from './account.ts';

/** Gives the pages of a firm its account, and renders them again when it changes. */
export function AccountProvider({ children }: { children: ReactNode }) {
  const { data: account } = useSuspenseQuery(accountQuery());
  return <AccountContext value={account}>{children}</AccountContext>;
}
