import * as z from 'zod';
import { Email } from './mail/email.ts';
import { type PreRegistrationStatus, preRegistrationStatuses } from './values/enumerations.ts';
import { fieldErrorCodes, isSendable, Limit, NOT_SENDABLE, Timestamp, VisibleLine } from './values/fields.ts';
import { idOf } from './values/ids.ts';
import { MAX_QUERY_LENGTH } from './values/limits.ts';

/** The transitions of a pre-registration. Every state that they lead to is final. */
export const preRegistrationTransitions = {
  claim: { from: 'pending', to: 'claimed' },
  revoke: { from: 'pending', to: 'revoked' },
  expire: { from: 'pending', to: 'expired' },
} as const satisfies Record<string, { from: PreRegistrationStatus; to: PreRegistrationStatus }>;
export type PreRegistrationAction = keyof typeof preRegistrationTransitions;

/** Reserves a referral code for an affiliate (contract §2.7). */
export const PreRegistration = z.object({
  id: idOf('preRegistration').meta({ description: 'The id of the pre-registration' }),
  object: z.literal('affiliate_pre_registration'),
  email: z.string().meta({ description: 'The address of the affiliate' }),
  referral_code: z.string().meta({ description: 'The reserved code' }),
  referral_url: z.string().meta({ description: 'The link that carries the code' }),
  status: z
    .enum(preRegistrationStatuses)
    .meta({ description: 'Only a pending one can change; past `expires_at` it is expired' }),
  source: z.string().meta({ description: 'The origin of the reservation' }),
  metadata: z.record(z.string(), z.unknown()).meta({ description: 'Any JSON of the caller’s' }),
  created_at: Timestamp.meta({ description: 'The time of the reservation' }),
  expires_at: Timestamp.nullable().meta({ description: 'Null: the reservation does not expire' }),
  claimed_at: Timestamp.nullable().meta({ description: 'The time at which the affiliate claimed the code' }),
  last_sent_at: Timestamp.meta({ description: 'The time of the latest invitation to the affiliate' }),
});
export type PreRegistration = z.infer<typeof PreRegistration>;

/** Contract §4.9. An unknown email matches nothing. */
export const ListPreRegistrationsInput = z.object({
  status: z
    .enum(preRegistrationStatuses)
    .optional()
    .register(fieldErrorCodes, { code: 'invalid_status' })
    .meta({ description: 'Only pre-registrations with this status' }),
  email: z
    .string()
    .optional()
    .meta({
      description: 'Exact match, ignoring case',
      examples: ['partner@example.com'],
    }),
  limit: Limit,
  starting_after: idOf('preRegistration')
    .optional()
    .register(fieldErrorCodes, { code: 'invalid_cursor' })
    .meta({
      description: '`next_cursor` of the previous page',
      examples: ['aff_pre_01kar9x4z8c5m7p2t6v3000000'],
    }),
});
export type ListPreRegistrationsInput = z.output<typeof ListPreRegistrationsInput>;

/** For the console, which finds them while a person types. */
export const FindPreRegistrationsInput = ListPreRegistrationsInput.extend({
  q: VisibleLine.max(MAX_QUERY_LENGTH)
    .optional()
    .meta({ description: 'Words of the address or the code, each in any part of it' }),
});
export type FindPreRegistrationsInput = z.output<typeof FindPreRegistrationsInput>;

/** Maximum length of `metadata`, in characters of JSON. */
const METADATA_LENGTH = 8192;

export const PreRegisterInput = z.object({
  email: Email,
  referral_code: z
    .string()
    .regex(/^[A-Za-z0-9_-]{2,64}$/, 'must have between 2 and 64 letters, digits, _ or -'),
  referral_url: z
    .string()
    .max(2000)
    .regex(/^https?:\/\/\S+$/, 'must be an http or https URL'),
  source: VisibleLine.max(50).default('api'),
  metadata: z
    .record(z.string(), z.unknown())
    .refine(isMetadata, { error: `must have at most ${METADATA_LENGTH} characters as JSON`, abort: true })
    .refine(isSendable, NOT_SENDABLE)
    .default({}),
  expires_at: Timestamp.optional().meta({ description: 'Without it the pre-registration does not expire' }),
});
export type PreRegisterInput = z.output<typeof PreRegisterInput>;

export const PreRegistrationRef = z.object({
  id: idOf('preRegistration').meta({ description: 'The id of the pre-registration' }),
});

function isMetadata(value: Record<string, unknown>): boolean {
  try {
    return JSON.stringify(value).length <= METADATA_LENGTH;
  } catch {
    // Nested too deeply, or with a value that JSON cannot represent.
    return false;
  }
}
