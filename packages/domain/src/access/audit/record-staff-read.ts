import { LRUCache } from 'lru-cache';
import { withTransaction } from '../../platform/database/transaction.ts';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import type { Services } from '../../platform/services.ts';
import type { Identity, WorkspaceRef } from '../identity.ts';
import { isStaffToken } from '../policy.ts';
import { recordAudit } from './audit.ts';

/** A process records what an account of the staff reads in a firm once in this time, for each kind of data. */
const PAUSE_MS = 60 * MINUTE_MS;
/** With more, a read is recorded again before its time. */
const MAX_KNOWN = 10_000;

declare module '../../platform/services.ts' {
  interface Services {
    /** When the staff last read a kind of data of a firm, by account, firm and kind. */
    staffReads: LRUCache<string, number>;
  }
}

export function createStaffReads(): LRUCache<string, number> {
  return new LRUCache({ max: MAX_KNOWN });
}

interface Read {
  identity: Identity;
  workspace: WorkspaceRef;
  network?: string | undefined;
  /** The name of the procedure. Its first part is the kind of data; each page of the firm's settings is one. */
  procedure: string;
}

/** Records in the audit log of a firm that the staff read its data, before they get it. Test data is not recorded. */
export async function recordStaffRead(
  services: Services,
  { identity, workspace, network, procedure }: Read,
): Promise<void> {
  if (!isStaffToken(identity) || workspace.id === identity.home.id || identity.environment === 'test') return;
  const data = procedure.startsWith('firm.') ? procedure : procedure.split('.', 1)[0]!;
  const key = `${identity.user.id} ${workspace.id} ${data}`;
  const now = services.clock.now().getTime();
  const last = services.staffReads.get(key);
  if (last !== undefined && now - last < PAUSE_MS) return;
  await withTransaction(services, (ctx) =>
    recordAudit({ ...ctx, network, actor: { kind: 'account', id: identity.user.id } }, workspace.id, {
      action: 'firm.read_by_staff',
      target: { type: 'firm', id: workspace.slug },
      after: { data },
    }),
  );
  services.staffReads.set(key, now);
}
