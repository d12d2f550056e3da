import {
  type DistributeOptions,
  type Distribution,
  distribute,
  type Placement,
} from '../platform/distribution/distribute.ts';
import type { Services } from '../platform/services.ts';

/** Where the tables of a distributed installation are. Every table that is not named here is a firm's. */
export const placement: Placement = {
  copied: ['workspaces', 'users', 'memberships', 'staff_firms'],
  coordinated: ['idempotency_keys'],
  local: [
    'tokens',
    'devices',
    'push_outbox',
    'mailbox_addresses',
    'installation',
    'live_events',
    'live_horizon',
    'workers',
    'world_imports',
    'world_import_batches',
    'mikro_orm_migrations',
  ],
};

/** Distributes the firms of an installation over the servers of a Citus cluster. See {@link distribute}. */
export function distributeFirms(
  { databaseUrl }: Pick<Services, 'databaseUrl'>,
  options: Omit<DistributeOptions, 'placement'>,
): Promise<Distribution> {
  return distribute(databaseUrl, { ...options, placement });
}
