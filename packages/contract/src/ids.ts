import * as z from 'zod';

/**
 * The prefixes of opaque ids, by the type of resource. The service makes ids with a body of 26 characters in lower-case
 * Crockford base32 (128 bits, ordered by time); imported ids stay as they are. Clients compare ids as strings and never parse
 * them (contract §1.4).
 */
export const idPrefixes = {
  user: 'usr_',
  token: 'key_',
  mailMessage: 'msg_',
  ticket: 'tkt_',
  ticketMessage: 'tmsg_',
  attachment: 'att_',
  macro: 'mac_',
  ticketView: 'view_',
  bulkChange: 'blk_',
  preRegistration: 'aff_pre_',
  request: 'req_',
} as const;

export type IdKind = keyof typeof idPrefixes;

/** The pattern of an id without its prefix. */
export const ID_BODY = '[0-9A-Za-z]{6,64}';

/** Returns the schema of an id of one kind. */
export function idOf(kind: IdKind) {
  return z
    .string()
    .regex(
      new RegExp(`^${idPrefixes[kind]}${ID_BODY}$`),
      `must be an id that begins with "${idPrefixes[kind]}"`,
    );
}

/**
 * The last message of a ticket that an author has seen, null if there was none. If others have written since, the call fails with
 * `newer_messages`. Omit it to write in any case.
 */
export const SeenMessageId = idOf('ticketMessage').nullable().optional();

/** Mailboxes, threads, calendars, events, teams and tags have positive integers, within PostgreSQL's `integer`. */
export const IntegerId = z.int().positive().max(2_147_483_647);

/** Returns a text of digits as an integer id, or null if it is not one. */
export function readIntegerId(text: string): number | null {
  if (!/^[1-9]\d{0,9}$/.test(text)) return null;
  return IntegerId.safeParse(Number(text)).data ?? null;
}
