import { Migration } from '@mikro-orm/migrations';

/** What mail programs put before the subject of a reply, in lower case and, beyond ASCII, in upper case. */
const REPLY = [
  // English, German, Dutch, Scandinavian, Finnish and Estonian, French, Italian, Spanish, Portuguese
  're|aw|antw|antwort|antwoord|sv|svar|vs|ref|rif|r|ris|rép|RÉP|rv|res|resp',
  // Polish and Czech, South Slavic, Turkish, Lithuanian and Latvian, Welsh, Hungarian, Romanian, Indonesian, Vietnamese
  'odp|odg|ynt|cvp|ats|atb|vá|va\u0301|VÁ|válasz|VÁLASZ|răsp|RĂSP|bls|tl|trả lời',
  // Greek, Russian, Ukrainian, Bulgarian, Serbian
  'απ|ΑΠ|отв|Отв|ОТВ|ответ|Ответ|ОТВЕТ|відп|Відп|ВІДП|відповідь|Відповідь|отг|Отг|ОТГ|одг|Одг|ОДГ',
  // Chinese, Japanese, Korean, Thai, Arabic, Persian, Hebrew
  '回复|回覆|答复|答覆|返信|回信|회신|답장|ตอบ|ตอบกลับ|رد|پاسخ|תשובה|השב',
].join('|');

/** The same for forwarded messages. */
const FORWARD = [
  'fw|fwd|wg|tr|enc|i|vb|vl|doorst|pd|ilt|trs|yml|tov|ct|πρθ|ΠΡΘ',
  'пересл|Пересл|ПЕРЕСЛ|переслано|Переслано|прп|Прп',
  '转发|轉寄|轉發|転送|전달|إعادة توجيه|הועבר',
].join('|');

const SPACE = '[\\s\\u00a0]*';
/** The end of a prefix: `:`, also of full width, after an optional counter such as `[2]`, `(2)`, `^2` or `*2`. */
const END = `${SPACE}([[(^*]?\\d{1,3}[])]?)?${SPACE}[:\\uff1a]`;
/** A tag in brackets, such as `[EXT]`. One with a digit can be the number of a matter, so it is a part of the subject. */
const TAG = '\\[[^][0-9]{1,40}\\]';

/** Mailboxes, their readers, conversations and messages. */
export class Mail extends Migration {
  override up(): void {
    this.addSql(`
      create table mailboxes (
        workspace_id integer not null references workspaces on delete cascade,
        id serial,
        email text not null,
        name text not null,
        created_at timestamptz(3) not null,
        primary key (workspace_id, id)
      );
      create unique index mailboxes_address on mailboxes (workspace_id, lower(email));
      create index mailboxes_workspace on mailboxes (workspace_id);

      -- The mailbox of each address, over all firms: delivery knows only the address, and two firms cannot have the same one.
      -- Not a firm's table, so that it can have a unique index over all firms.
      create table mailbox_addresses (
        -- In lower case.
        address text primary key,
        workspace_id integer not null references workspaces on delete cascade,
        mailbox_id integer not null
      );
      -- The address of a mailbox.
      create index mailbox_addresses_mailbox on mailbox_addresses (workspace_id, mailbox_id);

      create table mailbox_members (
        workspace_id integer not null,
        mailbox_id integer not null,
        user_id text collate "C" not null references users on delete cascade,
        can_write boolean not null default true,
        notify boolean not null default true,
        primary key (workspace_id, mailbox_id, user_id),
        constraint mailbox_members_in_mailboxes foreign key (workspace_id, mailbox_id) references mailboxes on delete cascade
      );
      -- The mailboxes that a user reads.
      create index mailbox_members_user on mailbox_members (workspace_id, user_id, mailbox_id);

      create table mail_threads (
        workspace_id integer not null,
        id bigserial,
        mailbox_id integer not null,
        created_at timestamptz(3) not null,
        primary key (workspace_id, id),
        constraint mail_threads_in_mailboxes foreign key (workspace_id, mailbox_id) references mailboxes on delete cascade
      );
      create index mail_threads_of_mailbox on mail_threads (workspace_id, mailbox_id);

      create table mail_messages (
        workspace_id integer not null,
        id text collate "C" not null,
        -- The integer that draft_id accepts instead of the id.
        alias bigserial,
        mailbox_id integer not null,
        thread_id bigint not null,
        folder text not null check (folder in ('inbox', 'drafts', 'sent', 'archive', 'spam', 'trash')),
        previous_folder text check (previous_folder in ('inbox', 'drafts', 'sent', 'archive', 'spam', 'trash')),
        from_email text not null,
        from_name text,
        to_recipients jsonb not null,
        cc_recipients jsonb not null,
        bcc_recipients jsonb not null,
        subject text not null,
        body text not null,
        snippet text not null,
        is_read boolean not null default false,
        message_at timestamptz(6) not null,
        -- A message is the same as another one if its Message-ID and its content are.
        internet_message_id text collate "C",
        content_digest text collate "C",
        in_reply_to text collate "C",
        reference_ids text[] not null default '{}',
        -- The files as clients see them, and what was not stored of a received message, with the reasons.
        attachments jsonb not null default '[]',
        left_out jsonb not null default '[]',
        created_at timestamptz(3) not null,
        primary key (workspace_id, id),
        constraint mail_messages_in_mailboxes foreign key (workspace_id, mailbox_id) references mailboxes on delete cascade,
        constraint mail_messages_in_mail_threads foreign key (workspace_id, thread_id) references mail_threads on delete cascade
      );
      create unique index mail_messages_alias on mail_messages (workspace_id, alias);
      -- A folder, newest first. Without the firm: with it, the index would look as selective as the primary key.
      create index mail_messages_folder on mail_messages (mailbox_id, folder, message_at desc, id desc);
      -- A conversation, in order.
      create index mail_messages_thread on mail_messages (workspace_id, thread_id, message_at, id);
      -- The badge: unread messages in inboxes.
      create index mail_messages_badge on mail_messages (workspace_id, mailbox_id) where folder = 'inbox' and not is_read;
      -- The mail from an address.
      create index mail_messages_by_sender on mail_messages (workspace_id, lower(from_email), message_at desc);
      -- A message is delivered to a mailbox once. A reply finds the message that it answers.
      create unique index mail_messages_identity on mail_messages (workspace_id, mailbox_id, internet_message_id, content_digest)
        where internet_message_id is not null;
      -- A delivered message finds the messages that refer to it, and those that refer to the same message. Drafts refer to none.
      create index mail_messages_references on mail_messages using gin (mailbox_id, reference_ids)
        where reference_ids <> '{}';

      -- The subject without prefixes and tags, so that a mail and all its replies have the same key.
      -- Truncated, because the size of an index entry is limited.
      create function mail_reply_key(subject text) returns text language sql immutable strict parallel safe
        return left(lower(btrim(regexp_replace(subject,
          '^(${SPACE}((${REPLY}|${FORWARD})${END}|${TAG}))+${SPACE}', '', 'i'))), 200);
      -- Whether a subject begins like that of a reply. A forwarded message is none.
      create function mail_is_reply(subject text) returns boolean language sql immutable strict parallel safe
        return subject ~* '^(${SPACE}${TAG})*${SPACE}(${REPLY})${END}';
      -- A reply without references is matched by its subject.
      create index mail_messages_reply_key on mail_messages (workspace_id, mailbox_id, mail_reply_key(subject), message_at desc)
        where folder not in ('drafts', 'spam', 'trash');
    `);
  }
}
