import * as z from 'zod';
import { IanaZone } from '../account/devices.ts';
import { isSendable, Language, NOT_SENDABLE, Timestamp, VisibleLine } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';
import {
  MAX_PROFILE_DEPTH,
  MAX_PROFILE_LENGTH,
  MAX_PROFILE_SECTIONS,
  MAX_QUERY_LENGTH,
  MAX_SECTION_FIELDS,
} from '../values/limits.ts';
import { LastEventId } from '../values/live.ts';
import { profileFormats, verificationStatuses } from '../values/schema-enumerations.ts';

const MAX_LABEL = 60;

const Label = VisibleLine.max(MAX_LABEL);

/** A place in the data (RFC 6901). */
export const ProfilePointer = z
  .string()
  .max(200)
  .regex(/^(\/([^/~]|~[01])*)+$/, 'must be a JSON pointer, such as "/balance"');

export const ProfileField = z.object({
  label: Label,
  value: ProfilePointer,
  format: z.enum(profileFormats).default('text'),
  /** For money: an ISO 4217 code, or the place of one. */
  currency: z
    .string()
    .max(200)
    .regex(/^([A-Z]{3}|(\/([^/~]|~[01])*)+)$/, 'must be a code such as "EUR", or a JSON pointer to one')
    .optional(),
});
export type ProfileField = z.infer<typeof ProfileField>;

export const ProfileSection = z.object({
  title: Label,
  /** The place of a list: the section shows the fields of each entry, whose places begin at the entry. */
  list: ProfilePointer.optional(),
  fields: z.array(ProfileField).min(1).max(MAX_SECTION_FIELDS),
});
export type ProfileSection = z.infer<typeof ProfileSection>;

const Json = z.record(z.string(), z.json());

/** What the platform says about a trader. It replaces what it said before. */
export const SetProfileInput = z.object({
  trader: idOf('user'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be an ISO 3166 code, such as "DE"')
    .nullable()
    .default(null),
  language: Language.max(35).nullable().default(null),
  timezone: IanaZone.nullable().default(null),
  verification: z.enum(verificationStatuses).nullable().default(null),
  data: Json.refine(isSendable, NOT_SENDABLE)
    .refine((data) => depthOf(data) <= MAX_PROFILE_DEPTH, `must be nested at most ${MAX_PROFILE_DEPTH} deep`)
    .refine(
      (data) => JSON.stringify(data).length <= MAX_PROFILE_LENGTH,
      `must have at most ${MAX_PROFILE_LENGTH} characters as JSON`,
    )
    .default({}),
  layout: z.array(ProfileSection).max(MAX_PROFILE_SECTIONS).default([]),
});

export const TraderProfile = z.object({
  object: z.literal('trader_profile'),
  trader: idOf('user'),
  country: z.string().nullable(),
  language: z.string().nullable(),
  timezone: z.string().nullable(),
  verification: z.enum(verificationStatuses).nullable(),
  data: Json,
  layout: z.array(ProfileSection),
  updated_at: Timestamp,
});
export type TraderProfile = z.infer<typeof TraderProfile>;

export const TraderRef = z.object({ trader: idOf('user') });

/** The profile of a trader; null if the platform has set none. */
export const TraderContext = z.object({
  object: z.literal('trader_context'),
  profile: TraderProfile.nullable(),
});
export type TraderContext = z.infer<typeof TraderContext>;

/** Words of a name or an address, each in any part of it. */
export const FindTradersInput = z.object({ q: VisibleLine.max(MAX_QUERY_LENGTH) });

export const FoundTrader = z.object({ id: idOf('user'), name: z.string(), email: z.string() });
export type FoundTrader = z.infer<typeof FoundTrader>;

/** The first few people of the firm that were found: traders first. */
export const TradersFound = z.object({ object: z.literal('traders_found'), data: z.array(FoundTrader) });

export const StreamTraderInput = TraderRef.extend({ lastEventId: LastEventId });

/** The profile was set, or may have been: fetch it again. */
export const TraderStreamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('trader.profile_set'), trader: idOf('user') }),
  z.object({ type: z.literal('resync') }),
]);
export type TraderStreamEvent = z.infer<typeof TraderStreamEvent>;

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  // Without recursion into what is too deep anyway.
  let level: unknown[] = [value];
  let depth = 0;
  while (level.length > 0 && depth <= MAX_PROFILE_DEPTH) {
    depth++;
    level = level
      .flatMap((each) => Object.values(each as object))
      .filter((each) => typeof each === 'object' && each);
  }
  return depth;
}
