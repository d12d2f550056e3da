import { OnlineMigration } from './online-migration.ts';

/** The indexes that replace others: which, and the text after `on` in `create index NAME on`, by name. */
const indexes = {
  ticket_messages_order: {
    replaces: 'ticket_messages_ticket',
    definition: 'ticket_messages (workspace_id, ticket_id, created_at, id)',
  },
  ticket_messages_read_pending: {
    replaces: 'ticket_messages_unread',
    definition: `ticket_messages (workspace_id, ticket_id)
      where read_at is null and not internal and from_kind in ('trader', 'ai')`,
  },
  assistant_runs_current: {
    replaces: 'assistant_runs_pending',
    definition: 'assistant_runs (workspace_id, ticket_id, id) where ended_at is null',
  },
  mail_threads_of_mailbox: {
    replaces: 'mail_threads_mailbox',
    definition: 'mail_threads (workspace_id, mailbox_id)',
  },
  mail_messages_badge: {
    replaces: 'mail_messages_unread',
    definition: `mail_messages (workspace_id, mailbox_id) where folder = 'inbox' and not is_read`,
  },
};

/**
 * Adds the firm to the indexes by ticket and by mailbox. Without it, the planner can combine such an index with the primary key, and
 * then reads the keys of all messages of the firm for each of its tickets.
 */
export class FirmFirstIndexes extends OnlineMigration {
  override async up(): Promise<void> {
    for (const [name, { replaces, definition }] of Object.entries(indexes)) {
      await this.buildIndex(name, definition, false);
      await this.dropIndex(replaces);
    }
  }
}
