/** What `@firmdesk/seed` writes with, beside what `@firmdesk/domain` exports. */
export { avatarHash, isAvatar, MAX_AVATAR_LENGTH } from './access/avatar.ts';
export { ensureTwin } from './access/ensure-twin.ts';
export { issueToken } from './access/issue-token.ts';
export { hashPassword, matchesHash } from './access/password.ts';
export { EventFieldError } from './calendar/event-error.ts';
export { toEventRows } from './calendar/event-rows.ts';
export { insertEventsOfFirms } from './calendar/insert-events.ts';
export type { EventColumns } from './calendar/load-event.ts';
export type { NewEvent } from './calendar/new-event.ts';
export type { OverrideColumns } from './calendar/series.ts';
export { instantOf } from './calendar/stored-time.ts';
export { addToDirectory } from './mail/mailbox-directory.ts';
export { snippetOf } from './mail/snippet.ts';
export { allFirms } from './platform/all-firms.ts';
export { type Sql, sqlOf, type Tables } from './platform/database.ts';
export { newContext } from './platform/transaction.ts';
export { messageSearchText, ticketSearchText } from './tickets/search-text.ts';
export { importedState } from './tickets/status.ts';
