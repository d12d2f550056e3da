// Accounts
/** A token that is unused for this long expires (contract §5.4). */
export const TOKEN_IDLE_DAYS = 90;
/** An API key that a member creates expires after at most this many days, if it expires. */
export const MAX_KEY_DAYS = 3_650;
/** For how many hours the last secret of a rotated key is accepted at most. */
export const MAX_KEY_OVERLAP_HOURS = 168;
/** Maximum number of API keys in the list, which starts with the newest. */
export const MAX_KEYS_LISTED = 500;
/** Maximum number of workspaces in the list. */
export const MAX_WORKSPACES_LISTED = 1_000;
/** An account has at most this many sessions in each firm. A further one ends that which was not used for longest. */
export const MAX_SESSIONS = 500;
/** For this long after it was opened or confirmed, a session may change how the account signs in. */
export const FRESH_SIGN_IN_MINUTES = 5;
/** Maximum number of passkeys of an account. */
export const MAX_PASSKEYS = 20;
/** Maximum number of domains of a firm's single sign-on. */
export const MAX_SIGN_IN_DOMAINS = 20;
/** Maximum number of sessions in the list, which starts with the most recently used. */
export const MAX_SESSIONS_LISTED = 100;

/** An invite can be accepted for this many days after it was made or sent again. */
export const INVITE_DAYS = 7;
/** Maximum number of invites that a firm makes in a day. */
export const MAX_INVITES_PER_DAY = 50;
/** Maximum number of mails with the link of one invite. */
export const MAX_INVITE_MAILS = 5;

/** Maximum number of teams and of tags of a firm. */
export const MAX_TEAMS = 200;
export const MAX_TAGS = 500;
export const MAX_TEAM_NAME = 60;
export const MAX_TAG_NAME = 40;
// Webhooks
/** Maximum number of endpoints of a firm, and as many of its test data. */
export const MAX_WEBHOOK_ENDPOINTS = 10;
export const MAX_WEBHOOK_URL = 1_000;
/** An event is sent for this many days, until the endpoint accepts it. */
export const WEBHOOK_RETRY_DAYS = 3;
/** Events and their deliveries are kept for this many days. */
export const WEBHOOK_KEPT_DAYS = 7;

/** Maximum number of mailboxes of a firm, and of the aliases of each. */
export const MAX_FIRM_MAILBOXES = 500;
export const MAX_MAILBOX_ALIASES = 20;

/** For how many days a firm keeps its audit log: at least, unless it sets it, and at most. */
export const MIN_AUDIT_DAYS = 90;
export const DEFAULT_AUDIT_DAYS = 730;
export const MAX_AUDIT_DAYS = 3_650;

/** Maximum length of an avatar as a `data:` URL: 750 kB in base64. */
export const MAX_AVATAR_URL = 1_000_000;

// Devices
/** Maximum number of recorded pushes in the list, which starts with the newest. */
export const MAX_PUSHES_LISTED = 100;
/** Maximum number of registrations in the list, which starts with the most recently seen. */
export const MAX_REGISTRATIONS_LISTED = 300;
/** Maximum number of browsers of an account that get pushes; one more ends the one that was seen the longest ago. */
export const MAX_BROWSERS = 20;

// Tickets
/** Maximum length of a search text, in code points without surrounding white space. */
export const MAX_QUERY_LENGTH = 100;
/** Maximum length of a message, in UTF-16 units. */
export const MAX_MESSAGE_LENGTH = 20_000;
/** Maximum length of a formatted text with its markup, in UTF-16 units. */
export const MAX_FORMATTED_LENGTH = 100_000;
/** Maximum size of a body that has a formatted text, in bytes. */
export const MESSAGE_BODY_LIMIT = 1024 * 1024;
/** Maximum length of the subject of a ticket, in UTF-16 units. */
export const MAX_SUBJECT_LENGTH = 300;
export const MAX_TICKET_TAGS = 20;
/** Maximum number of macros in one reply. */
export const MAX_REPLY_MACROS = 10;
/** For this many seconds a delayed send, a reply or a mail, waits, and its author can undo it. */
export const SEND_DELAY_SECONDS = 10;
/** The number of colleagues whom one note can mention. */
export const MAX_MENTIONS = 20;
/** For this many seconds after a ticket was resolved or closed, that can be undone. */
export const UNDO_SECONDS = 15;
/** A ticket can be linked with at most this many. */
export const MAX_TICKET_LINKS = 50;
/** A ticket with more messages cannot be merged into another. */
export const MAX_MERGED_MESSAGES = 5_000;
/** A snooze ends at most this many days ahead. */
export const MAX_SNOOZE_DAYS = 366;
/** Maximum number of values in one filter of a list. */
export const MAX_CHOICES = 20;
/** Tickets are counted up to this number. */
export const MAX_TICKET_COUNT = 10_000;

// SLA
/** Maximum of an SLA target, in minutes of business hours: 30 days without a break. */
export const MAX_TARGET_MINUTES = 43_200;
/** Maximum time before a target at which the team is warned. */
export const MAX_WARN_MINUTES = 1_440;
export const MAX_INTERVALS_PER_DAY = 4;
/** A week must have this many minutes of business hours, so that every target has a due time. */
export const MIN_WEEK_MINUTES = 240;
export const MAX_HOLIDAYS = 100;

// Attachments
/** The size of the largest file that a message can contain, in bytes. */
export const MAX_ATTACHMENT_BYTES = 25 * 1024 * 1024;
/** How many files one message can contain. */
export const MAX_MESSAGE_ATTACHMENTS = 10;
/** How many files of one account can wait to be sent, in each firm. */
export const MAX_UNSENT_ATTACHMENTS = 100;
/** How many bytes of files one account can announce in an hour, in each firm: also of files that were sent or removed since. */
export const MAX_ATTACHMENT_BYTES_PER_HOUR = 1024 * 1024 * 1024;
/** A file that no message contains is deleted after this many days. */
export const UNSENT_ATTACHMENT_DAYS = 7;
/** Images of at least this many bytes have a thumbnail. */
export const THUMBNAIL_FROM_BYTES = 200_000;
/** The width and the height of a thumbnail are at most this. */
export const THUMBNAIL_PIXELS = 640;
export const MAX_FILE_NAME_LENGTH = 255;

// Drafts of replies
/** Maximum length of a draft, in UTF-16 units: more than a message may have, so that a text can be shortened later. */
export const MAX_DRAFT_LENGTH = 40_000;
/** The number of drafts that are kept for an account in a firm: a further one replaces the oldest. */
export const MAX_REPLY_DRAFTS = 200;

// Macros
/** Maximum number of macros of a firm. */
export const MAX_MACROS = 500;
export const MAX_MACRO_NAME = 100;
/** Maximum number of languages of a macro. */
export const MAX_MACRO_TEXTS = 10;
/** Maximum length of a macro's text in one language, and of its texts in all languages, in UTF-16 units. */
export const MAX_MACRO_TEXT = 5_000;
export const MAX_MACRO_TOTAL = 20_000;
/** The largest body of an import, in bytes. */
export const MACRO_FILE_LIMIT = 2_097_152;

// Assignment and rules
/** The largest limit of an agent's automatically assigned tickets. */
export const MAX_TICKET_LIMIT = 10_000;
/** Maximum number of rules of a firm. */
export const MAX_RULES = 100;
export const MAX_RULE_NAME = 100;
/** Maximum number of words, languages and profile fields in the conditions of a rule, each. */
export const MAX_RULE_CONDITIONS = 20;
/** Maximum number of single words in the conditions of a rule: an event is compared with those of all rules. */
export const MAX_RULE_WORDS = 60;
/** Maximum number of actions of a rule. */
export const MAX_RULE_ACTIONS = 10;
/** The longest time after which a rule runs for a waiting ticket: 30 days. */
export const MAX_RULE_MINUTES = 43_200;
/** The effects of a rule can start other rules, up to this depth. No rule starts itself. */
export const MAX_RULE_DEPTH = 5;
/** How many effects the rules of a firm have in an hour. Further ones wait for the next hour. */
export const MAX_RULE_EFFECTS = 5_000;
/** The number of recent tickets to which a rule is compared before it is saved. */
export const RULE_PREVIEW_TICKETS = 200;

// Saved views
export const MAX_VIEW_NAME = 60;
/** An account has at most this many views of its own, and a team at most this many. */
export const MAX_TICKET_VIEWS = 50;
/** An account sees at most this many views: its own and those of its teams. */
export const MAX_VISIBLE_VIEWS = 200;
/** The tickets of a view are counted up to this number. A number above it means "more". */
export const MAX_VIEW_COUNT = 999;

// Bulk changes
/** A bulk change has at most this many tickets. */
export const MAX_BULK_TICKETS = 20_000;
/** At most this many tickets are named by their ids, or excluded from a filter. */
export const MAX_BULK_IDS = 1_000;
/** An account has at most this many unfinished bulk changes. */
export const MAX_BULK_CHANGES = 3;
/** For this many seconds after a bulk change has ended, it can be undone. */
export const BULK_UNDO_SECONDS = 60;

// Assistant
/** Maximum length of an instruction, in code points (contract §8). */
export const MAX_INSTRUCTION_LENGTH = 2_000;

/** Maximum number of articles of a firm, and of their titles and texts, in UTF-16 units. */
export const MAX_ARTICLES = 200;
export const MAX_ARTICLE_TITLE = 200;
export const MAX_ARTICLE_TEXT = 12_000;
/** Maximum length of the firm's rules for the assistant. */
export const MAX_ASSISTANT_RULES = 4_000;

// Notifications
/** Maximum number of ids in one call, including duplicates (contract §8). */
export const MAX_IDS_PER_MARK = 200;

// Mail
/** Maximum number of recipients of a message, in `to`, `cc` and `bcc` together. */
export const MAX_RECIPIENTS = 500;
/** Maximum length of the subject of a message (the longest line of RFC 5322 §2.1.1). */
export const MAX_SUBJECT = 998;
/** Maximum size of a body that saves a draft, in bytes. */
export const DRAFT_BODY_LIMIT = 10 * 1024 * 1024;
/** Maximum size of the text and the files of a message that is sent, in bytes. */
export const MAX_SENT_BYTES = 25 * 1024 * 1024;
/** How many messages an account can send in a day (UTC), in each firm. */
export const MAX_SENT_PER_DAY = 500;
/** A message can be sent at most this many days ahead. */
export const MAX_SEND_AHEAD_DAYS = 90;
/** Maximum size of a raw message (RFC 5322), in bytes: base64 makes {@link MAX_SENT_BYTES} 34.2 MiB. */
export const MAX_RAW_MESSAGE = 36 * 1024 * 1024;
/** How many files of a message are stored. Each has at most {@link MAX_ATTACHMENT_BYTES}, and those of a written message together. */
export const MAX_MAIL_ATTACHMENTS = 50;
/** How many names of left out files are stored, for each reason. */
export const MAX_LEFT_OUT_NAMES = 10;
/** Maximum length of the search text of a list of mail, in code points without surrounding white space. */
export const MAX_MAIL_QUERY_LENGTH = 200;
/** Maximum number of messages that one call moves or marks. */
export const MAX_MESSAGES_PER_CALL = 200;

// Calendar
/** The maximum and the default length of a window, in days (contract §8). */
export const MAX_WINDOW_DAYS = 92;
export const DEFAULT_WINDOW_DAYS = 31;
/** Maximum number of events in a calendar; beyond it, {@link errorTable.event_limit_reached}. */
export const MAX_EVENTS_PER_CALENDAR = 50_000;
/** Maximum number of occurrences in one response. */
export const MAX_WINDOW_OCCURRENCES = 10_000;
/** Maximum number of calendars that one account owns in a workspace; beyond it, {@link errorTable.calendar_limit_reached}. */
export const MAX_CALENDARS_OWNED = 100;
/** How many coming meetings with guests a calendar can have when it is deleted with its events: each guest gets a cancellation. */
export const MAX_CANCELLED_MEETINGS = 100;
/** Maximum length of a search text of events, and maximum number of events that a search returns. */
export const MAX_EVENT_QUERY_LENGTH = 200;
export const MAX_FOUND_EVENTS = 50;
/** How many people's busy times one call returns or compares, and in how many days. */
export const MAX_BUSY_PEOPLE = 20;
export const MAX_BUSY_DAYS = 31;
/** How many times one call proposes. */
export const MAX_PROPOSED_TIMES = 5;

// Profiles of traders
/** The length of a profile's data as JSON, in UTF-16 units, and how deep it is nested. */
export const MAX_PROFILE_LENGTH = 16_384;
export const MAX_PROFILE_DEPTH = 8;
export const MAX_PROFILE_SECTIONS = 10;
export const MAX_SECTION_FIELDS = 20;
/** How many entries of a list a section shows. */
export const MAX_SHOWN_ENTRIES = 20;
/** How many messages of a conversation are shown and counted: the newest. */
export const MAX_THREAD_MESSAGES = 200;
/** Maximum number of conversations that one call changes. */
export const MAX_THREADS_PER_CALL = 100;
/** Maximum number of tags of a conversation. */
export const MAX_THREAD_TAGS = 20;
/** A message in the trash is deleted permanently after this time. */
export const TRASH_DAYS = 30;
/** How many people the fields of a message suggest. */
export const MAX_CORRESPONDENTS = 1_000;
/** Maximum length of the signature of a mailbox. */
export const MAX_SIGNATURE = 2_000;
/** Maximum length of the automatic answer of a mailbox. */
export const MAX_ABSENCE_TEXT = 5_000;
/** Maximum number of rules of a mailbox, and of those that forward. */
export const MAX_MAIL_RULES = 50;
export const MAX_FORWARDING_RULES = 5;
/** Maximum length of a text that a rule looks for. */
export const MAX_RULE_TEXT = 200;
export const MAX_RULE_TAGS = 10;
/** How many of the newest messages of a mailbox a rule is tried on, and how many of those that match are listed. */
export const TRIED_MESSAGES = 200;
export const MAX_TRIAL_ROWS = 20;

/** The longest period of a report in days. */
export const MAX_REPORT_DAYS = 366;

/** Maximum length of what a trader adds to a rating. */
export const MAX_RATING_COMMENT = 2_000;

/** The file of an export of a person or a firm is deleted after this time, with the request. */
export const DATA_FILE_DAYS = 7;
/** For how long a firm works on after its deletion was asked for, and the deletion can be cancelled. */
export const FIRM_DELETION_DAYS = 7;
/** How many requests of one kind are listed: the newest. */
export const MAX_DATA_REQUESTS = 50;
