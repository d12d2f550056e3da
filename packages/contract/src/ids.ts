import { z } from 'zod';

/**
 * Opaque ids: a type prefix and a body. Ours are 26 characters of lower-case Crockford base32 (128 bits, time-ordered); an
 * import keeps those of its source system. Contract §1.4: clients compare them as strings and never parse them.
 */
export const idPrefixes = {
  user: 'usr_',
  token: 'key_',
  mailMessage: 'msg_',
  ticket: 'tkt_',
  ticketMessage: 'tmsg_',
  preRegistration: 'aff_pre_',
  request: 'req_',
} as const;

export type IdKind = keyof typeof idPrefixes;

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

/** Mailboxes, threads, calendars, events, teams and tags have positive integers, within PostgreSQL's `integer`. */
export const IntegerId = z.int().positive().max(2_147_483_647);

/** Returns the integer id that a text of digits names, or null for any other text. */
export function readIntegerId(text: string): number | null {
  if (!/^[1-9]\d{0,9}$/.test(text)) return null;
  return IntegerId.safeParse(Number(text)).data ?? null;
}
