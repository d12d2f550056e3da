import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** An index of the audit events that are not changes of tickets, which are few among these. */
export class AuditIndex extends ConcurrentIndexes {
  protected override readonly create = {
    audit_events_operations: `audit_events (workspace_id, created_at, id) where target_type <> 'ticket'`,
  };
}
