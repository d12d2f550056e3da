import { OnlineMigration } from '@firmdesk/domain/testing';

/** Small enough that a batch locks its rows for a fraction of a second. */
const BATCH_ROWS = 1_000;

/**
 * An example of a migration that runs while calls use its table: stores the size of each message of mail, and sorts by it. Each step
 * commits separately, and finds out what is done, so an interrupted migration continues.
 *
 * Processes of the previous version write messages without a size: a later release, which they do not run beside, fills these.
 */
export class MessageSizes extends OnlineMigration {
  override async up(): Promise<void> {
    await this.query('alter table mail_messages add column if not exists size integer');
    // Statements that name their firm, which a distributed installation runs on one server.
    const firms = await this.query<{ id: number }>('select id from workspaces order by id');
    for (const [n, { id }] of firms.entries()) {
      await this.#fill(id);
      this.report(`filling mail_messages: ${n + 1} of ${firms.length} firms`);
    }
    await this.addConstraint('mail_messages', 'mail_messages_size_check', 'check (size >= 0)');
    await this.buildIndex('mail_messages_size', 'mail_messages (workspace_id, mailbox_id, size)', false);
  }

  async #fill(firm: number): Promise<void> {
    for (let filled = "''"; ; ) {
      const after = `workspace_id = ${firm} and id > ${filled}`;
      const [batch] = await this.query<{ last: string | null }>(`
        select quote_literal(max(id)) as last
        from (select id from mail_messages where ${after} order by id limit ${BATCH_ROWS}) m`);
      const { last } = batch!;
      if (last === null) return;
      await this.query(`
        update mail_messages set size = octet_length(body) where ${after} and id <= ${last} and size is null`);
      filled = last;
    }
  }
}
