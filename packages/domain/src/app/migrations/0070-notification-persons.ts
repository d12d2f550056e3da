import { OnlineMigration } from './online-migration.ts';

/** The titles that contain a name, by the text after it. */
const MENTION = ' mentioned you in ticket #';
const MESSAGE = ' wrote in ticket #';
const TICKET_OF = `substr(n.action_url, length('/tickets/') + 1)`;

/**
 * The account with whose name the title of a notification begins. The title itself no longer contains the name, which an erasure could
 * not find; a process of the previous version shows such a title without it. Where the account of an existing title is not known, the
 * title names nobody. Links that lead away from the site open the notification centre.
 */
export class NotificationPersons extends OnlineMigration {
  override async up(): Promise<void> {
    await this.execute('alter table notifications add column if not exists person_id text collate "C"');
    await this.addConstraint(
      'notifications',
      'notifications_person_id_fkey',
      'foreign key (person_id) references users on delete cascade',
    );
    await this.execute(`
      update notifications n set person_id = m.author_id, title = substr(n.title, length(m.author) + 2)
      from ticket_messages m
      where n.person_id is null and n.title like '%${MENTION}%' and m.workspace_id = n.workspace_id and m.ticket_id = ${TICKET_OF}
        and m.internal and m.created_at = n.created_at and m.author_id is not null and starts_with(n.title, m.author || '${MENTION}')`);
    await this.execute(`
      update notifications n set person_id = u.id, title = substr(n.title, length(u.name) + 2)
      from tickets t join users u on u.id = t.trader_id
      where n.person_id is null and n.title like '%${MESSAGE}%' and t.workspace_id = n.workspace_id and t.id = ${TICKET_OF}
        and starts_with(n.title, u.name || '${MESSAGE}')`);
    await this.execute(`
      update notifications set title = regexp_replace(title, '^.*${MENTION}', 'You were mentioned in ticket #')
      where person_id is null and title like '%${MENTION}%'`);
    await this.execute(`
      update notifications set title = regexp_replace(title, '^.*${MESSAGE}', 'The trader wrote in ticket #')
      where person_id is null and title like '_%${MESSAGE}%' and title not like 'The trader${MESSAGE}%'`);
    await this.execute(`
      update notifications set action_url = '/notifications'
      where action_url !~ '^/(?!/)[a-zA-Z0-9_.~!$&''()*+,;=:@%/?#-]*$' or action_url ~* '(^|/)(\\.|%2e){1,2}([/?#]|$)'`);
  }
}
