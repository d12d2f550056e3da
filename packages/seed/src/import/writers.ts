import { formatPath, SeedError } from '../problems.ts';
import type { SeedList, SeedRecord } from '../schema.ts';
import type { Chunk } from './chunk.ts';
import type { ImportContext } from './context.ts';
import { writeFirms, writeTags, writeTokens, writeUsers } from './write-access.ts';
import { writeCalendars, writeEvents, writeIcs } from './write-calendar.ts';
import { writeMacros } from './write-macros.ts';
import { writeMailboxes, writeMessages } from './write-mail.ts';
import { writeMailRules } from './write-mail-rules.ts';
import { writeDevices, writeNotifications, writePreRegistrations } from './write-notifications.ts';
import {
  writeArticles,
  writeEndedInvitations,
  writeMailTemplates,
  writeTicketRules,
  writeWebhooks,
} from './write-settings.ts';
import { writeTicketLinks, writeTicketMerges, writeTicketViews } from './write-ticket-lists.ts';
import { writeTeams, writeTickets } from './write-tickets.ts';

const UNIQUE_VIOLATION = '23505';

/** Writes records of one list. The records that they refer to exist. `first` is the position of the first record. */
type Writer<L extends SeedList> = (
  ctx: ImportContext,
  records: readonly SeedRecord<L>[],
  first: number,
) => Promise<void>;

const writers: { [L in SeedList]: Writer<L> } = {
  firms: writeFirms,
  mail_templates: writeMailTemplates,
  articles: writeArticles,
  webhooks: writeWebhooks,
  users: writeUsers,
  mailboxes: writeMailboxes,
  tags: writeTags,
  messages: writeMessages,
  calendars: writeCalendars,
  events: writeEvents,
  ics: writeIcs,
  ended_invitations: writeEndedInvitations,
  teams: writeTeams,
  macros: writeMacros,
  mail_rules: writeMailRules,
  ticket_rules: writeTicketRules,
  ticket_views: writeTicketViews,
  tickets: writeTickets,
  ticket_links: writeTicketLinks,
  ticket_merges: writeTicketMerges,
  notifications: writeNotifications,
  pre_registrations: writePreRegistrations,
  tokens: writeTokens,
  devices: writeDevices,
};

/**
 * Writes the records of a chunk.
 * @throws SeedError when another process has inserted one of the records since the check
 */
export async function writeChunk<L extends SeedList>(
  ctx: ImportContext,
  { list, records, first }: Chunk<L>,
): Promise<void> {
  try {
    await writers[list](ctx, records, first);
  } catch (error) {
    const { code, detail } = error as { code?: string; detail?: string };
    if (code !== UNIQUE_VIOLATION) throw error;
    const message = `one of ${records.length} records from here already exists: ${detail}`;
    throw new SeedError([{ path: formatPath([list, first]), message }]);
  }
}
