import { ConcurrentIndexes } from './concurrent-indexes.ts';

/**
 * Records at each token the transaction that last revoked it or changed its rights, so that gateways read the changed tokens and
 * not those of all open sockets. A gateway of the previous version does not record it: sockets on other nodes then close
 * within a minute.
 */
export class TokenChanges extends ConcurrentIndexes {
  protected override readonly create = {
    tokens_rights_changed_in: 'tokens (rights_changed_in) where rights_changed_in is not null',
  };

  override async up(): Promise<void> {
    this.addSql('alter table tokens add column if not exists rights_changed_in xid8');
    await super.up();
  }
}
