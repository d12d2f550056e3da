import * as z from 'zod';
import { deviceApps, pushEnvironments } from './enumerations.ts';
import { Line, Timestamp } from './fields.ts';
import { idOf } from './ids.ts';

/** A push provider's device token: 32 to 100 bytes in hexadecimal, stored in lower case. */
export const PushToken = z
  .string()
  .regex(/^([0-9a-fA-F]{2}){32,100}$/, 'must have between 64 and 200 hexadecimal digits, in pairs')
  .toLowerCase();

/** The IANA name of a time zone, or an alias of it. A UTC offset is rejected. */
export const IanaZone = z
  .string()
  .max(64)
  .refine(isIanaZone, 'must be an IANA time zone, such as "Europe/Berlin"');

/** Contract §4.4. */
export const RegisterDeviceInput = z.object({
  app: z.enum(deviceApps).meta({ description: 'The app that is registered' }),
  environment: z
    .enum(pushEnvironments)
    .meta({ description: 'The environment of Apple’s push service for which the app was built' }),
  token: PushToken.meta({ description: 'The device token from Apple’s push service, in hexadecimal' }),
  locale: Line.max(100)
    .optional()
    .meta({
      description: 'The language of the phone, a BCP 47 tag',
      examples: ['en-GB'],
    }),
  timezone: IanaZone.optional().meta({ description: 'Calendar reminders state times in it' }),
  app_version: Line.max(100).optional().meta({ description: 'The version of the app' }),
  os_version: Line.max(100)
    .optional()
    .meta({
      description: 'The version of the phone’s system',
      examples: ['26.1'],
    }),
});
export type RegisterDeviceInput = z.output<typeof RegisterDeviceInput>;

/** Contract §2.3. The push token is never shown. */
export const PushDevice = z.object({
  object: z.literal('push_device'),
  app: z.enum(deviceApps).meta({ description: 'The app that is registered' }),
  environment: z
    .enum(pushEnvironments)
    .meta({ description: 'The environment of Apple’s push service for which the app was built' }),
  created_at: Timestamp.meta({ description: 'The time of the first registration' }),
  last_seen_at: Timestamp.meta({ description: 'The time of the latest registration' }),
});
export type PushDevice = z.infer<typeof PushDevice>;

/** A registration with its session, for the console. */
export const DeviceRegistration = PushDevice.extend({
  session: idOf('token'),
  current: z.boolean().meta({ description: 'Whether the session is the caller’s own' }),
  locale: z.string().nullable(),
  timezone: z.string().nullable(),
  app_version: z.string().nullable(),
  os_version: z.string().nullable(),
});
export type DeviceRegistration = z.infer<typeof DeviceRegistration>;

/** A test push to the caller's own devices: to all, or to those of one app or one session. */
export const PushTestInput = z.object({
  app: z.enum(deviceApps).optional(),
  session: idOf('token').optional(),
});
export type PushTestInput = z.output<typeof PushTestInput>;

export const PushTestQueued = z.object({
  object: z.literal('push_test'),
  devices: z.int().meta({ description: 'The number of registrations that it is sent to' }),
});
export type PushTestQueued = z.infer<typeof PushTestQueued>;

/** A push of a sandbox, which was recorded and not sent. */
export const RecordedPush = z.object({
  object: z.literal('recorded_push'),
  id: z.guid().meta({
    description: 'The id of the push, which a sent one would have as its `apns-id`',
    examples: ['6f8c2f0e-8a53-4a7e-9d0b-3c1f5e7a9b24'],
  }),
  app: z.enum(deviceApps).meta({ description: 'The app that would get it', examples: ['mail'] }),
  payload: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({
      description: 'What the phone would get; null for a push that was dropped',
      examples: [{ aps: { alert: { title: 'Ann', body: 'Hello' } } }],
    }),
  dropped: z
    .string()
    .nullable()
    .meta({
      description: 'Why it would not be sent: such as `muted` or `own`; null for a recorded push',
      examples: ['muted'],
    }),
  created_at: Timestamp.meta({ description: 'When it was queued' }),
});
export type RecordedPush = z.infer<typeof RecordedPush>;

function isIanaZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
