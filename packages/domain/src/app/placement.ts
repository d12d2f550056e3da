import {
  type DistributeOptions,
  type Distribution,
  distribute,
  type Placement,
} from '../platform/distribution/distribute.ts';
import type { Services } from '../platform/services.ts';
import { firmTables, type sharedTables } from './tables.ts';

type SharedTable = keyof typeof sharedTables;

/** Where the tables of a distributed installation are. */
export const placement: Placement = {
  firms: firmTables,
  copied: ['workspaces', 'users', 'memberships', 'staff_firms', 'mailbox_addresses'] satisfies SharedTable[],
  coordinated: ['idempotency_keys'] satisfies SharedTable[],
};

/** Distributes the firms of an installation over the servers of a Citus cluster. See {@link distribute}. */
export function distributeFirms(
  { databaseUrl }: Pick<Services, 'databaseUrl'>,
  options: Omit<DistributeOptions, 'placement'>,
): Promise<Distribution> {
  return distribute(databaseUrl, { ...options, placement });
}
