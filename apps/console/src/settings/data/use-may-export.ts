import { exportPermissions } from '@firmdesk/contract';
import { useAccount } from '../../session/account.ts';

/** Returns whether the account may ask for an export and download it. The service checks the same. */
export function useMayExport(what: keyof typeof exportPermissions): boolean {
  const { permissions } = useAccount();
  return exportPermissions[what].every((permission) => permissions.includes(permission));
}
