import * as z from 'zod';
import { ID_BODY, type IdKind, idPrefixes } from './id-prefixes.ts';

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
