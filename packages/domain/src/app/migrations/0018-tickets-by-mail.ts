import { OnlineMigration } from './online-migration.ts';

/** Addresses to which mail opens tickets, and the ticket of each mail. */
export class TicketsByMail extends OnlineMigration {
  override async up(): Promise<void> {
    await this.query(`
      -- Whose mail to the address opens tickets: that of the firm's members, or everyone's. Null: it is mail.
      alter table mailbox_addresses add column if not exists tickets text`);
    await this.addConstraint(
      'mailbox_addresses',
      'mailbox_addresses_tickets_check',
      "check (tickets in ('members', 'anyone'))",
    );
    await this.query(`
      -- The ticket to which it was added, or in which it is a reply, which may have been deleted since.
      alter table mail_messages add column if not exists about_ticket text collate "C"`);
    await this.buildIndex(
      'mail_messages_ticket',
      'mail_messages (workspace_id, about_ticket, created_at) where about_ticket is not null',
      false,
    );
  }
}
